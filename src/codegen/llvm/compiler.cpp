#include "compiler.hpp"

#include <stdexcept>

#include "host.hpp"
#include "llvm/ExecutionEngine/JITLink/JITLink.h"
#include "llvm/ExecutionEngine/JITLink/JITLinkMemoryManager.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

namespace cetaev::native {

namespace {

namespace jl = llvm::jitlink;

constexpr std::uint64_t page =
    65536;  // the largest that processors use; addresses within pages stay as they are linked

std::string text_of(llvm::Error error) { return llvm::toString(std::move(error)); }

// JITLink puts the sections here, one after the other from address `base` on; nothing is executed.
class ImageMemory final : public jl::JITLinkMemoryManager {
 public:
  static constexpr std::uint64_t base = page;

  explicit ImageMemory(std::vector<std::byte>& bytes) : bytes_(bytes) {}

  void allocate(const jl::JITLinkDylib*, jl::LinkGraph& graph, OnAllocatedFunction done) override {
    jl::BasicLayout layout(graph);
    std::uint64_t size = 0;
    for (auto& part : layout.segments()) {
      auto& segment = part.second;
      size = llvm::alignTo(size, segment.Alignment);
      segment.Addr = llvm::orc::ExecutorAddr(base + size);
      size += segment.ContentSize + segment.ZeroFillSize;
    }
    bytes_.assign(size, std::byte{0});
    for (auto& part : layout.segments()) {
      part.second.WorkingMem = reinterpret_cast<char*>(bytes_.data()) + (part.second.Addr.getValue() - base);
    }
    if (auto error = layout.apply()) return done(std::move(error));
    done(std::make_unique<InFlight>());
  }
  void deallocate(std::vector<FinalizedAlloc> allocations, OnDeallocatedFunction done) override {
    for (FinalizedAlloc& a : allocations) a.release();
    done(llvm::Error::success());
  }

 private:
  struct InFlight final : InFlightAlloc {
    void abandon(OnAbandonedFunction done) override { done(llvm::Error::success()); }
    void finalize(OnFinalizedFunction done) override { done(FinalizedAlloc(llvm::orc::ExecutorAddr(base))); }
  };
  std::vector<std::byte>& bytes_;
};

// An address written into the image would hold at one place only.
llvm::Error refuse_addresses(jl::LinkGraph& graph) {
  for (const jl::Block* block : graph.blocks()) {
    for (const jl::Edge& edge : block->edges()) {
      const llvm::StringRef kind = graph.getEdgeKindName(edge.getKind());
      if (kind.starts_with("Pointer") && !kind.contains("PageOffset"))
        return llvm::createStringError("machine code with an address in it");
    }
  }
  return llvm::Error::success();
}

class ImageLink final : public jl::JITLinkContext {
 public:
  ImageLink(Image& image, std::string entry, std::string& failure)
      : jl::JITLinkContext(nullptr), image_(image), memory_(image.bytes), entry_(std::move(entry)), failure_(failure) {}

  jl::JITLinkMemoryManager& getMemoryManager() override { return memory_; }
  void notifyFailed(llvm::Error error) override { failure_ = text_of(std::move(error)); }
  void lookup(const LookupMap& symbols, std::unique_ptr<jl::JITLinkAsyncLookupContinuation> done) override {
    if (symbols.empty()) return done->run(jl::AsyncLookupResult());
    done->run(llvm::createStringError("machine code asks for " + symbols.begin()->first.str()));
  }
  llvm::Error notifyResolved(jl::LinkGraph& graph) override {
    for (const jl::Symbol* symbol : graph.defined_symbols()) {
      if (symbol->hasName() && symbol->getName() == entry_) {
        image_.entry = symbol->getAddress().getValue() - ImageMemory::base;
        return llvm::Error::success();
      }
    }
    return llvm::createStringError("machine code without an entry");
  }
  void notifyFinalized(jl::JITLinkMemoryManager::FinalizedAlloc allocation) override { allocation.release(); }
  jl::LinkGraphPassFunction getMarkLivePass(const llvm::Triple&) const override { return jl::markAllSymbolsLive; }
  llvm::Error modifyPassConfig(jl::LinkGraph&, jl::PassConfiguration& passes) override {
    passes.PostPrunePasses.emplace_back(refuse_addresses);
    return llvm::Error::success();
  }

 private:
  Image& image_;
  ImageMemory memory_;
  std::string entry_;
  std::string& failure_;
};

const llvm::Target& target() {
  static const llvm::Target* const found = [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    std::string error;
    const llvm::Target* const t = llvm::TargetRegistry::lookupTarget(host().triple, error);
    if (t == nullptr) throw std::runtime_error(error);
    return t;
  }();
  return *found;
}

}  // namespace

Compiler::Compiler(Care care) {
  context_.setDiscardValueNames(true);
  module_ = std::make_unique<llvm::Module>("cetaev", context_);
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Standard;
  const Host& h = host();
  machine_.reset(target().createTargetMachine(
      h.triple, h.cpu, h.features, options, llvm::Reloc::PIC_, llvm::CodeModel::Small,
      care == Care::little ? llvm::CodeGenOptLevel::None : llvm::CodeGenOptLevel::Less, true));
  if (!machine_) throw std::runtime_error("no machine code for " + h.triple);
  module_->setTargetTriple(h.triple);
  module_->setDataLayout(machine_->createDataLayout());
}

Compiler::~Compiler() = default;

Image Compiler::compile(const std::string& entry) {
  llvm::SmallVector<char, 0> object;
  {
    llvm::raw_svector_ostream stream(object);
    llvm::legacy::PassManager passes;
    llvm::MCContext* mc = nullptr;
    if (machine_->addPassesToEmitMC(passes, mc, stream, true))
      throw std::runtime_error("no objects for this processor");
    passes.run(*module_);
  }
  auto graph = jl::createLinkGraphFromObject(llvm::MemoryBufferRef({object.data(), object.size()}, "cetaev"));
  if (!graph) throw std::runtime_error(text_of(graph.takeError()));
  Image image;
  std::string failure;
  jl::link(std::move(*graph), std::make_unique<ImageLink>(image, entry, failure));
  if (!failure.empty()) throw std::runtime_error(failure);
  return image;
}

}  // namespace cetaev::native
