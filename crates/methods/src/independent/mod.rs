//! `independent`: one-way marginals only.
