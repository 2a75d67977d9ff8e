// What a model says about its own motion.
#include "model_reader.hpp"
#include "unicode.hpp"

namespace cetaev::model {

// Constants of the motion, by names that stand for nothing but themselves.
void ModelReader::read_integrals() {
  const TomlValue* table = optional_table("integrals", "a table of expressions");
  if (table == nullptr) return;
  for (const Entry& entry : table->entries) {
    system_.integrals.push_back(
        {entry.key, elaborator_->scalar(expression(source_, entry.value, "the integral " + in_quotes(entry.key)),
                                        Contents::velocities_too())});
  }
}

}  // namespace cetaev::model
