#include "host.hpp"

#include <algorithm>
#include <vector>

#include "llvm/ADT/StringMap.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

namespace cetaev::native {

namespace {

Host ask() {
  Host h;
  h.triple = llvm::sys::getProcessTriple();
  h.cpu = llvm::sys::getHostCPUName().str();
  h.compiler = "LLVM " LLVM_VERSION_STRING;
  std::vector<std::string> features;
  bool avx2 = false, fma = false;
  for (const auto& feature : llvm::sys::getHostCPUFeatures()) {
    features.push_back((feature.second ? "+" : "-") + feature.first().str());
    if (feature.second && feature.first() == "avx2") avx2 = true;
    if (feature.second && feature.first() == "fma") fma = true;
  }
  std::sort(features.begin(), features.end());
  for (const std::string& feature : features) h.features += (h.features.empty() ? "" : ",") + feature;
  h.doubles_per_vector = avx2 ? 4 : 2;
  h.fused = fma || llvm::Triple(h.triple).isAArch64();
  return h;
}

}  // namespace

const Host& host() {
  static const Host here = ask();
  return here;
}

}  // namespace cetaev::native
