pub fn name() -> &'static str {
    "a part"
}
