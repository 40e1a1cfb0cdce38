// Stands in for argon2, which only hashes passwords: the test server has none.
