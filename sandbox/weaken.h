/*
 * For the controls of tests/hostile: in the test-only build of `make weak`, $JUDGE_WEAKEN names layers of the
 * box to leave out, so that the hostile cases for them must report a breach. In every other build WEAK is false,
 * and the compiler leaves no trace of what depends on it. No layer's name is part of another's.
 */
#ifndef SANDBOX_WEAKEN_H
#define SANDBOX_WEAKEN_H
#ifdef JUDGE_WEAKEN
#include <stdlib.h>
#include <string.h>
#define WEAK(layer) (getenv("JUDGE_WEAKEN") && strstr(getenv("JUDGE_WEAKEN"), layer))
#else
#define WEAK(layer) false
#endif
#endif
