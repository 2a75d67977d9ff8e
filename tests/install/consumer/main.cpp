// A user of the installed library: reads every model of the gallery and counts its coordinates.
#include <cetaev/gallery.hpp>
#include <cetaev/model/read.hpp>

#include <iostream>
#include <string>

int main() {
  for (const cetaev::GalleryModel& model : cetaev::gallery()) {
    const cetaev::System system = cetaev::read_model(model.text, std::string(model.name));
    std::cout << model.name << ": " << system->size() << " coordinates\n";
  }
}
