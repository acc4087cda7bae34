const char *part(void);
