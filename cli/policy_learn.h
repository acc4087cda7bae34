/* judge policy learn. Private to cli/policy*.c. */
#ifndef CLI_POLICY_LEARN_H
#define CLI_POLICY_LEARN_H

/* argv[0] is "learn", argv[-1] "policy", argv[-2] the judge. An exit status. */
int policy_learn(int argc, char **argv);

#endif
