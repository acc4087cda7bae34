const char *part();
