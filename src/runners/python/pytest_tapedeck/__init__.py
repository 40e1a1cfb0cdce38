"""A tape for each test of an LLM agent: recorded once, replayed without a network."""
