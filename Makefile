# Set-up, build and run in one word each; CMake does the work. CONTRIBUTING.md has the list.

PREFIX ?= /usr/local
FUZZ_SECONDS ?= 60
SOAK_SECONDS ?= 600
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
MAKEFLAGS += --no-print-directory

build_release = cmake --preset release $(1) && cmake --build build -j $(JOBS)
build_only = $(call build_release) --target $(1)

.PHONY: run build test bench papers lint asan check-all fuzz soak docs reference install uninstall format clean

run:
	@tools/setup
	$(call build_only,cairn_cli)
	build/cairn showcase --out out

build:
	@tools/setup
	$(call build_release)

test: build
	ctest --test-dir build --output-on-failure -j $(JOBS)

bench:
	@tools/setup
	$(call build_release,-DCAIRN_BENCH=ON)
	build/bench/bench_lcp
	build/bench/bench_contact
	build/bench/bench_dynamics
	build/bench/bench_trees
	build/bench/bench_world --peers --time-limit 30
	bench/conformance/cairn-conformance || [ $$? -eq 1 ]

# Aims that are not met (exit code 1) are in the report; only what broke stops.
papers:
	@tools/setup
	$(call build_only,cairn_papers)
	build/cairn-papers all || [ $$? -eq 1 ]

asan:
	@tools/setup
	cmake --preset asan && cmake --build build-asan -j $(JOBS)
	ctest --test-dir build-asan --output-on-failure -j $(JOBS)

# Sanitizers, valgrind, clang, other machines: an hour or more, with a table at the end.
check-all:
	@tools/setup --dev --machines
	tools/check_all

# Random worlds and random problems for SOAK_SECONDS; what fails is kept in build/soak.
soak:
	@tools/setup
	$(call build_release,-DCAIRN_BENCH=ON)
	tools/soak build $(SOAK_SECONDS)

fuzz:
	@tools/setup --dev
	cmake --preset fuzz && cmake --build build-fuzz -j $(JOBS)
	tools/fuzz build-fuzz $(FUZZ_SECONDS) $(FUZZ_TARGETS)

lint:
	@tools/setup --dev
	tools/lint

format:
	@tools/setup --dev
	tools/sources | xargs clang-format -i

docs:
	@tools/setup --docs
	tools/api_docs out/api

reference:
	@tools/setup
	$(call build_only,cairn_cli)
	build/cairn reference markdown > docs/reference/cli.md
	tools/scene_reference.py

install:
	@tools/setup
	$(call build_only,cairn cairn_static cairn_io cairn_io_static cairn_cli cairn_papers cairn_reference)
	cmake --install build --prefix $(PREFIX)
	@cp build/install_manifest.txt build/installed.txt

uninstall:
	tools/uninstall build/installed.txt

clean:
	rm -rf build build-*
