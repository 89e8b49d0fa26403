package io.bloomgate.blocklists.file;

/**
 * The way in which the keys of a file were normalised and hashed. Two files answer for the same
 * keys only when these agree. The seed is secret, because anybody who knows it can find false
 * positives offline. No log and no text shows it. Immutable.
 *
 * @param hashVersion of the key hash; a file of another version cannot be asked
 * @param normalisationVersion of the rules that turn text into keys (UTS 46, case, IPv6 form)
 * @param seedHigh upper half of the 128-bit seed
 * @param seedLow lower half of the 128-bit seed
 */
public record Keying(int hashVersion, int normalisationVersion, long seedHigh, long seedLow) {

  /** The versions, without the seed. */
  @Override
  public String toString() {
    return "hash version " + hashVersion + ", key normalisation version " + normalisationVersion;
  }
}
