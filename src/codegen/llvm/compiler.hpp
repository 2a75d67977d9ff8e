// From LLVM's intermediate form to an image.
#pragma once

#include <memory>
#include <string>

#include "image.hpp"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

namespace llvm {
class TargetMachine;
}

namespace cetaev::native {

// How much care the compiler takes. Straight-line code that is written in the order in which it should run leaves it little
// to find: series lose a twentieth with little care, and are ready in a tenth of the time.
enum class Care { little, usual };

class Compiler {
 public:
  explicit Compiler(Care care);
  ~Compiler();

  llvm::LLVMContext& context() { return context_; }
  llvm::Module& module() { return *module_; }
  // The module must define a function of this name and need nothing from outside. Throws std::runtime_error.
  Image compile(const std::string& entry);

 private:
  llvm::LLVMContext context_;
  std::unique_ptr<llvm::Module> module_;
  std::unique_ptr<llvm::TargetMachine> machine_;
};

}  // namespace cetaev::native
