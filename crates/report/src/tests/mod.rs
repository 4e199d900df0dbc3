mod dictionary;
mod pages;
mod support;
