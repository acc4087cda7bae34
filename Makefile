# judge: one static binary. `make demo` and `make check` are all a newcomer needs: both install
# what is missing first. A new source file in one of the folders below is found by itself.
#
#   make                ./judge                      make install [PREFIX= DESTDIR=]
#   make demo           a program in a box           make lint    analyzers and house rules
#   make check          build and run every test     make bench   speed beside the floor and bwrap
#   make soak           all of what `make check` tries a part of: hours
#   make fuzz           libFuzzer on every reader, FUZZ_SECONDS=600 each
#   make figures        the table of figures in README.md, measured here
#   make CC=clang       with another compiler        make SANITIZE=1 units   ASan and UBSan
#   make BUILD=DIR BIN=FILE   elsewhere, for two builds of one tree at the same time; V=1 shows the commands

PREFIX	?= /usr/local
CFLAGS	?= $(if $(SANITIZE),-O1,-O2) -g
BUILD	?= build
BIN	?= judge
ifdef SANITIZE
override BUILD := $(BUILD)/$(if $(FUZZING),fuzz,sanitize)
override BIN := $(BUILD)/judge
endif

# ---- what is made of what

FOLDERS	:= base lang seccomp box-root sandbox report grade cli
SRC	:= $(filter-out seccomp/generate.c base/embed.c,$(wildcard $(FOLDERS:=/*.c)))
# From the policies' text to BPF: in judge, and with libseccomp on the machine that builds.
POLICY	:= $(filter-out $(addprefix seccomp/,generate.c filter.c load.c names.c),$(wildcard seccomp/*.c))
UNIT	:= $(wildcard tests/unit/test_*.c)
HELPER	:= $(filter-out $(UNIT),$(wildcard tests/unit/*.c))
FUZZ	:= $(wildcard tests/fuzz/fuzz_*.c)
FUZZ_HELPER := tests/unit/bpf_run.c tests/fuzz/reader.c $(if $(FUZZING),,tests/fuzz/replay.c)

comma	:= ,
obj	 = $(patsubst %.c,$(BUILD)/%.o,$(1))
OBJ	:= $(call obj,$(SRC)) $(BUILD)/seccomp_filters.o $(BUILD)/embedded.o
# What judge carries in itself: its languages, and the guards that are put into boxes.
CARRIED	:= $(sort $(wildcard lang/*.lang lang/guards/*.*))
LIBS	:= $(BUILD)/libjudge.a
UNITS	:= $(UNIT:%.c=$(BUILD)/%)
FUZZERS	:= $(FUZZ:%.c=$(BUILD)/%)
BENCH	:= $(patsubst %.c,$(BUILD)/%,$(wildcard tests/bench/*.c))
DEMO	:= $(patsubst %.cpp,$(BUILD)/%,$(wildcard tests/demo/*.cpp))

# ---- how: what this compiler knows of OpenSSF's hardening guide

try	 = $(shell $(CC) -O2 -Werror $(1) $(2) -x c -c /dev/null -o /dev/null 2>/dev/null && echo '$(1)')

WARN	:= -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wformat=2 -Wvla -Wundef \
	   -Wwrite-strings -Wpointer-arith -Wimplicit-fallthrough $(if $(CI)$(WERROR),-Werror)
HARDEN	:= $(if $(SANITIZE),,-fno-strict-overflow) -fno-strict-aliasing -fno-delete-null-pointer-checks -fno-common \
	   $(foreach flag,-fstack-protector-strong -fstack-clash-protection -fcf-protection=full \
	   -mbranch-protection=standard -fstrict-flex-arrays=3 -ftrivial-auto-var-init=zero,$(call try,$(flag)))
# Level 3 warns where the C library knows 2 only.
FORTIFY	:= -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=
FORTIFY	:= $(or $(call try,$(FORTIFY)3,-include stdio.h),$(FORTIFY)2)
HARD_LD	:= -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack -Wl,--as-needed -Wl,--gc-sections

FLAGS	:= -std=gnu11 -D_GNU_SOURCE -I. $(WARN) $(HARDEN) -fPIE -ffunction-sections -fdata-sections
ifdef SANITIZE
FLAGS	+= -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
FLAGS	+= $(if $(FUZZING),-fsanitize=fuzzer-no-link)
LINK	:= -pie -fsanitize=address,undefined
override STATIC :=
else
FLAGS	+= $(FORTIFY)
STATIC	?= -static-pie
STRIP	:= --strip-all
endif
Q	:= $(if $(V),,@)
COMPILE	= $(CC) $(FLAGS) $(CPPFLAGS) $(CFLAGS)
LINK	+= $(HARD_LD) $(LDFLAGS)

# ---- the program

.PHONY: all units weak fuzzers fuzz figures check soak lint demo bench deps deps-lint deps-rigs deps-languages deps-languages-large install clean FORCE
.SECONDARY:
.DELETE_ON_ERROR:

all: $(BIN)

$(BIN): $(BUILD)/judge.full
	$Qobjcopy $(STRIP) $< $@.new && mv -f $@.new $@

$(BUILD)/judge.full: $(BUILD)/judge.o $(if $(SANITIZE),$(BUILD)/tests/sanitize.o) $(BUILD)/libjudge.a
	@echo '  LD  $@'
	$Q$(CC) $(CFLAGS) $(STATIC) $(LINK) $(if $(SANITIZE),-Wl$(comma)--wrap=__asan_handle_no_return) -o $@ $^ -ljansson -lmd -lcap

$(BUILD)/libjudge.a: $(OBJ) $(BUILD)/objects
	$Qrm -f $@ && ar rcs $@ $(OBJ)

$(BUILD)/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	@echo '  CC  $<'
	$Q$(COMPILE) -MMD -MP -c -o $@ $<

# These change only when what they say changes: another compiler or flag compiles everything again,
# a source or a carried file that came or went makes anew what holds them.
$(BUILD)/flags: SAYS = $(COMPILE)
$(BUILD)/objects: SAYS = $(OBJ)
$(BUILD)/flags $(BUILD)/objects $(BUILD)/carried: FORCE
	@mkdir -p $(@D)
	@echo '$(SAYS)' | cmp -s - $@ || echo '$(SAYS)' >$@

# ---- the system call filters

$(BUILD)/host/seccomp-generate: $(call obj,seccomp/generate.c $(POLICY) $(filter-out base/embed.c,$(wildcard base/*.c)))
	@mkdir -p $(@D)
	@echo '  LD  $@'
	$Q$(CC) $(CFLAGS) $(LINK) -o $@ $^ -lseccomp

$(BUILD)/seccomp_filters.c: $(BUILD)/host/seccomp-generate $(wildcard seccomp/*.policy)
	$< $@ $(filter %.policy,$^)

$(BUILD)/seccomp_filters.o: $(BUILD)/seccomp_filters.c
	@echo '  CC  $<'
	$Q$(COMPILE) -MMD -MP -c -o $@ $<

# ---- what judge carries in itself

$(BUILD)/host/embed: $(call obj,base/embed.c base/err.c base/fd.c)
	@mkdir -p $(@D)
	@echo '  LD  $@'
	$Q$(CC) $(CFLAGS) $(LINK) -o $@ $^

$(BUILD)/carried: SAYS = $(CARRIED)
$(BUILD)/embedded.c: $(BUILD)/host/embed $(CARRIED) $(BUILD)/carried
	$Q$< $@ $(CARRIED)

$(BUILD)/embedded.o: $(BUILD)/embedded.c
	@echo '  CC  $<'
	$Q$(COMPILE) -MMD -MP -c -o $@ $<

# ---- tests

units: $(UNITS)

# Asked where it is needed only: musl has no sanitizers.
SANITIZES = $(shell echo 'int main(void){return 0;}' | $(CC) -fsanitize=address,undefined -x c - \
	-o /dev/null 2>/dev/null && echo yes)

$(BUILD)/tests/unit/test_%: $(BUILD)/tests/unit/test_%.o $(call obj,$(HELPER)) $(LIBS)
	@echo '  LD  $@'
	$Q$(CC) $(CFLAGS) $(LINK) -o $@ $^ -lcmocka -lseccomp -ljansson -lmd -lcap

# A target of fuzzing, with a main that feeds it a corpus (tests/fuzz/replay.c). With FUZZING set its main is
# libFuzzer's. What a target includes the source of comes before the library's own.
fuzzers: $(FUZZERS)

$(BUILD)/tests/fuzz/fuzz_%: $(BUILD)/tests/fuzz/fuzz_%.o $(call obj,$(FUZZ_HELPER)) $(LIBS)
	@echo '  LD  $@'
	$Q$(CC) $(CFLAGS) $(LINK) $(if $(FUZZING),-fsanitize=fuzzer) -pthread -o $@ $^ -ljansson -lmd -lcap

FUZZ_SECONDS ?= 600
fuzz: deps-lint
	$(MAKE) CC=clang SANITIZE=1 FUZZING=1 fuzzers
	tests/fuzz/fuzz.sh $(BUILD)/fuzz $(FUZZ_SECONDS)

# For the controls of tests/hostile: a judge that leaves out the layers $JUDGE_WEAKEN names. Its objects of
# sandbox/weaken.h come before the library's own.
WEAK	:= $(patsubst %,$(BUILD)/weak/sandbox/%.o,inside inside_root inside_restrain plan)
weak: $(BUILD)/weak/judge

$(BUILD)/weak/judge: $(BUILD)/judge.o $(WEAK) $(LIBS)
	@echo '  LD  $@'
	$Q$(CC) $(CFLAGS) $(STATIC) $(LINK) -o $@ $^ -ljansson -lmd -lcap

$(BUILD)/weak/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	@echo '  CC  $@'
	$Q$(COMPILE) -DJUDGE_WEAKEN -MMD -MP -c -o $@ $<

soak: export JUDGE_SOAK = 1
soak: check

check: deps
	$(MAKE) all units weak
	$(MAKE) $(if $(SANITIZES),SANITIZE=1) all units fuzzers
	JUDGE_WEAK=$(abspath $(BUILD)/weak/judge) JUDGE_SANITIZED=$(if $(SANITIZES),$(abspath $(BUILD)/sanitize/judge)) \
	JUDGE_FUZZ=$(abspath $(BUILD)/$(if $(SANITIZES),sanitize/)tests/fuzz) tests/run --judge $(BIN) $(UNITS) $(if $(SANITIZES),$(UNITS:$(BUILD)/%=$(BUILD)/sanitize/%))

lint: deps-lint
	$(MAKE) $(BUILD)/libjudge.a
	CC='$(CC)' tests/lint.sh $(BUILD)

demo: deps
	$(MAKE) all $(DEMO)
	tests/demo/show $(BIN) $(DEMO)

$(BUILD)/tests/demo/%: tests/demo/%.cpp
	@mkdir -p $(@D)
	$(CXX) -O2 -o $@ $<

bench: deps
	$(MAKE) all $(BENCH)
	tests/bench/bench.py $(BIN) $(BUILD)/tests/bench

figures: deps
	$(MAKE) all $(BENCH)
	tests/bench/figures.py $(BIN) $(BUILD)/tests/bench

$(BUILD)/tests/bench/noop: LIBRARY = -nostdlib -fno-stack-protector
$(BUILD)/tests/bench/%: tests/bench/%.c $(BUILD)/flags
	@mkdir -p $(@D)
	@echo '  LD  $@'
	$Q$(CC) -std=gnu11 -D_GNU_SOURCE -O2 -I. $(WARN) -static $(LIBRARY) -o $@ $<

# What is missing: nothing, when all is there.
deps deps-lint deps-rigs deps-languages deps-languages-large:
	deploy/deps.sh $@

# ---- installed

install: $(BIN)
	install -D -m 755 $(BIN) $(DESTDIR)$(PREFIX)/bin/judge
	$(foreach page,$(wildcard doc/*.1),install -D -m 644 $(page) \
		$(DESTDIR)$(PREFIX)/share/man/man1/$(notdir $(page)) &&) true

clean:
	rm -rf $(BUILD) $(BIN)

-include $(patsubst %.o,%.d,$(WEAK) $(call obj,judge.c $(SRC) seccomp/generate.c base/embed.c $(UNIT) $(HELPER) $(FUZZ) $(FUZZ_HELPER)) \
	$(BUILD)/seccomp_filters.o $(BUILD)/embedded.o)
