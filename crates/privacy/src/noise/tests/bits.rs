//! Generators.

use super::noise;
use crate::noise::bits::{NoiseBits, RandomWords};
use crate::noise::testing::{ALPHA, SeededNoise, goodness_of_fit};

#[test]
fn two_generators_differ_and_are_private() {
    let (mut one, mut other) = (noise(), noise());
    assert_ne!([one.next_u64(), one.next_u64()], [other.next_u64(), other.next_u64()]);
    assert!(one.is_private());
}

/// One test, false-alarm rate 1e-6.
#[test]
fn bytes_of_the_generator_are_uniform() {
    let mut words = vec![0; 125_000];
    noise().fill(&mut words);
    let bytes: Vec<i64> = words.iter().flat_map(|word| word.to_le_bytes()).map(i64::from).collect();
    assert!(goodness_of_fit(&bytes, 0..=255, |_| 1.0 / 256.0) > ALPHA);
}

#[test]
fn the_seeded_stream_is_not_private_and_never_changes() {
    let mut stream = SeededNoise::new(7);
    assert!(!stream.is_private());
    let mut words = [0; 3];
    stream.fill(&mut words);
    // The first block of ChaCha20 for this key, computed by another implementation.
    assert_eq!(words, [0x923ff2c9c8d6ee9c, 0x0bd356019a594805, 0x2c0ff387af29a1dd]);
    let mut again = SeededNoise::new(7);
    assert_eq!([again.next_u64(), again.next_u64(), again.next_u64()], words);
    assert_ne!(SeededNoise::new(8).next_u64(), words[0]);
}

/// A stretch of words is the generator's stream in order: nothing is used twice, and nothing is
/// lost but the end.
#[test]
fn stretches_of_words_are_the_stream_itself() {
    let (mut bits, mut stream) = (SeededNoise::new(1), SeededNoise::new(1));
    for draws in [0, 1, 5, 1000] {
        let mut words = RandomWords::many(&mut bits, draws);
        // A multiple of every length of a stretch used here.
        for _ in 0..320 {
            assert_eq!(words.next(), stream.next_u64());
        }
    }
    let mut words = RandomWords::few(&mut bits);
    assert_eq!([words.next(), words.next()], [stream.next_u64(), stream.next_u64()]);
}
