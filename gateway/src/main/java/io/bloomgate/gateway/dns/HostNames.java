package io.bloomgate.gateway.dns;

import java.util.regex.Pattern;

/**
 * Decides which names of addresses are passed on: those that Postfix takes for host names too. The
 * owner of an address chooses its name, so the name may contain anything. Pure; used by {@link
 * NameServers}.
 */
final class HostNames {

  /** RFC 1035 section 2.3.4, without the root's dot. */
  private static final int MAX_OCTETS = 253;

  /** RFC 1123 section 2.1, and the underscore that Postfix lets pass. */
  private static final Pattern LABELS =
      Pattern.compile(
          "[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?"
              + "(?:\\.[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?)*");

  private static final Pattern NUMBERS = Pattern.compile("[0-9.]*");

  private HostNames() {}

  /** True for letters, digits, hyphens and dots in their places; false for numbers alone. */
  static boolean wellFormed(String name) {
    return name.length() <= MAX_OCTETS
        && LABELS.matcher(name).matches()
        && !NUMBERS.matcher(name).matches();
  }
}
