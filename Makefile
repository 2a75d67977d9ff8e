# Every task has a target here; `make help` lists them. The presets of CMakePresets.json do the work, and scripts/setup
# first sees to the packages that are missing.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c

JOBS ?= $(shell nproc)
PREFIX ?= /usr/local
BUILD ?= build                     # what `make install` and `make wheel` take, and
DIST ?= dist                       # where the wheel is put
PYTHON ?= /usr/bin/python3         # the interpreter that the Python package is for
WERROR ?= OFF                      # ON in CI: compiler warnings are errors
FUZZ_SECONDS ?= 600                # how long `make fuzz` looks for trouble
SEED ?= 1000                       # the first of the random systems of `make stress`
SYSTEMS ?= 10000                   # and how many of a family

configure = cmake --preset $(1) -DCETAEV_WARNINGS_AS_ERRORS=$(strip $(WERROR)) --log-level=WARNING >/dev/null
build = cmake --build --preset $(1) -j $(JOBS)

.DEFAULT_GOAL := all
.PHONY: all setup setup-tests demo built check test test-gpu tsan asan-python stress bench fuzz lint format install wheel clean help

all: setup            ## build the program: build/cetaev
	@$(call configure,release)
	@$(call build,release) --target product

setup:                ## install the packages of packages.txt that are missing
	@scripts/setup --quiet

setup-tests:          ## the same with what only the tests need
	@scripts/setup --quiet --tests

demo: all             ## see what the program does with one model
	@scripts/demo

# One summary for everything: with CETAEV_TEST_ALL the release build's ctest also takes in the tests of the sanitized build.
run_tests = CETAEV_TEST_ALL=1 scripts/run-tests --jobs $(JOBS)

built: setup-tests
	@$(call configure,release)
	@$(call build,release)
	@$(call configure,asan)
	@$(call build,asan)

check: built          ## build and run what one runs while working: unit tests, the command line, the documents
	@$(run_tests) -LE long

test: built           ## build and run every test
	@$(run_tests)

test-gpu: all         ## run motions on the GPU of this machine against those on its processor, and measure
	@$(PYTHON) -B tests/gpu/test_gpu.py build/cetaev || { test $$? = 77 && exit 0; exit 1; }
	@$(call build,release) --target cetaev_bench_gpu
	@build/bin/cetaev_bench_gpu

tsan: setup-tests     ## run the tests that use threads under ThreadSanitizer
	@$(call configure,tsan)
	@$(call build,tsan)
	@ctest --preset tsan

asan-python: all      ## run the tests of the Python package under AddressSanitizer
	@$(call build,release) --target cetaev_python_asan
	@scripts/asan-python build

stress: setup         ## principles and verdicts on SYSTEMS (10000) random systems of every family from SEED (1000) on; mutations of the papers' formulas
	@$(call configure,release)
	@$(call build,release) --target cetaev --target cetaev_test_conformance
	@scripts/mutations --program build/cetaev
	@scripts/stress build/bin/cetaev_test_conformance --seed $(strip $(SEED)) --systems $(strip $(SYSTEMS)) --jobs $(JOBS)

bench: setup          ## run the benchmarks
	@$(call configure,release)
	@$(call build,release) --target bench

fuzz: setup           ## look for crashes of the model reader for FUZZ_SECONDS (600)
	@$(call configure,asan)
	@$(call build,asan) --target fuzz
	@scripts/fuzz $(strip $(FUZZ_SECONDS))

lint: setup           ## clang-format and clang-tidy, every finding an error
	@scripts/format --check
	@$(call configure,tidy)
	@$(call build,tidy)

format: setup         ## let clang-format rewrite the sources
	@scripts/format

install: all          ## install under PREFIX (/usr/local), below DESTDIR if given
	@cmake --install '$(strip $(BUILD))' --prefix '$(PREFIX)'

wheel: all            ## the Python package as a wheel: dist/*.whl
	@CETAEV_BUILD='$(strip $(BUILD))' $(PYTHON) -m pip wheel . --quiet --no-build-isolation --no-deps --no-index -w '$(strip $(DIST))'
	@ls '$(strip $(DIST))'/*.whl

clean:                ## remove everything that was built
	@rm -rf dist build build-asan build-debug build-tidy build-tsan

help:                 ## this list
	@sed -n 's/^\([a-z-]*\):[^#]*##/\1\t/p' Makefile | expand -t 13
