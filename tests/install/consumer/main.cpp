// A user of the installed library: says its version, reads every model of the gallery and counts its coordinates.
#include <cetaev/cetaev.hpp>

#include <iostream>
#include <string>

int main() {
  std::cout << "cetaev " << cetaev::version() << "\n";
  for (const cetaev::GalleryModel& model : cetaev::gallery()) {
    const cetaev::System system = cetaev::read_model(model.text, std::string(model.name));
    std::cout << model.name << ": " << system->size() << " coordinates\n";
  }
}
