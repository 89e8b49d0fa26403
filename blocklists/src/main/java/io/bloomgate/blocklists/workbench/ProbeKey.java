package io.bloomgate.blocklists.workbench;

import io.bloomgate.config.name.Parsed;
import io.bloomgate.config.name.Subject;

/**
 * What of an entry stands in a filter file: one hash of the normalised key, the same for every way
 * of writing it. Pure.
 *
 * <p>A host, a name and a mail address are themselves; a network stands for nothing but itself, so
 * a host inside it is another key. How far a name reaches is not part of the key.
 */
final class ProbeKey {

  /** Characters of a key; the longest mail address has 64 + 1 + 253 and may have U-labels. */
  static final int MAX_CHARACTERS = 1024;

  private ProbeKey() {}

  /** Reads a key as a person or a list writes it: {@code *.x}, {@code .x}, {@code @x} are names. */
  static Parsed<Subject> parse(String text) {
    String key = text.strip();
    if (key.isEmpty()) {
      return Parsed.bad("no key");
    }
    if (key.length() > MAX_CHARACTERS) {
      return Parsed.bad("longer than " + MAX_CHARACTERS + " characters");
    }
    if (key.startsWith("*.")) {
      return Subject.parse(key.substring(2));
    }
    return Subject.parse(key.startsWith(".") || key.startsWith("@") ? key.substring(1) : key);
  }
}
