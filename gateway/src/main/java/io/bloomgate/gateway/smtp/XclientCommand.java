package io.bloomgate.gateway.smtp;

import io.bloomgate.config.name.IpAddress;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The argument of XCLIENT (Postfix's XCLIENT_README): what a trusted peer reports about its own
 * client. A component is {@code null}, or a port -1, when its attribute is absent. Immutable.
 *
 * @param addressUnknown true for ADDR={@code [UNAVAILABLE]} or {@code [TEMPUNAVAIL]}
 * @param esmtp from PROTO
 * @param helo empty for {@code [UNAVAILABLE]}
 */
public record XclientCommand(
    @Nullable IpAddress address,
    boolean addressUnknown,
    int port,
    @Nullable Boolean esmtp,
    @Nullable HeloName helo,
    @Nullable IpAddress destination,
    int destinationPort) {

  /** Attributes that EHLO announces behind XCLIENT. */
  public static final String ATTRIBUTES = "NAME ADDR PORT PROTO HELO DESTADDR DESTPORT";

  private static final Set<String> KNOWN = Set.of(ATTRIBUTES.split(" "));
  private static final String IPV6_TAG = "IPV6:";

  /** Reads what follows the verb. */
  public static XclientCommand parse(String argument) throws ArgumentException {
    Map<String, String> given = new HashMap<>();
    for (String word : argument.split(" +", -1)) {
      int equals = word.indexOf('=');
      if (equals < 1) {
        throw new ArgumentException(Replies.syntax("Syntax: XCLIENT attribute=value ..."));
      }
      String name = word.substring(0, equals).toUpperCase(Locale.ROOT);
      @Nullable String value = Xtext.decode(word.substring(equals + 1)).orElse(null);
      if (value == null || !KNOWN.contains(name) || given.putIfAbsent(name, value) != null) {
        throw bad(name);
      }
    }
    // Names from reverse DNS decide nothing here, so none is kept.
    String address = given.get("ADDR");
    return new XclientCommand(
        address(given, "ADDR"),
        address != null && isUnknown(address),
        port(given, "PORT", 0),
        esmtp(given),
        helo(given),
        address(given, "DESTADDR"),
        port(given, "DESTPORT", -1));
  }

  private static ArgumentException bad(String name) {
    return new ArgumentException(
        Replies.syntax("Bad or repeated XCLIENT attribute " + Escape.text(name, 40)));
  }

  private static boolean isUnknown(String value) {
    return value.equalsIgnoreCase("[UNAVAILABLE]") || value.equalsIgnoreCase("[TEMPUNAVAIL]");
  }

  private static @Nullable IpAddress address(Map<String, String> given, String name)
      throws ArgumentException {
    String value = given.get(name);
    if (value == null || isUnknown(value)) {
      return null;
    }
    boolean six = value.regionMatches(true, 0, IPV6_TAG, 0, IPV6_TAG.length());
    String text = six ? value.substring(IPV6_TAG.length()) : value;
    return IpAddress.parse(text).toOptional().orElseThrow(() -> bad(name));
  }

  private static int port(Map<String, String> given, String name, int unknown)
      throws ArgumentException {
    String value = given.get(name);
    if (value == null || isUnknown(value)) {
      return value == null ? -1 : unknown;
    }
    if (!value.matches("[0-9]{1,5}") || Integer.parseInt(value) > 0xffff) {
      throw bad(name);
    }
    return Integer.parseInt(value);
  }

  private static @Nullable Boolean esmtp(Map<String, String> given) throws ArgumentException {
    String value = given.get("PROTO");
    if (value == null) {
      return null;
    }
    boolean esmtp = value.equalsIgnoreCase("ESMTP");
    if (!esmtp && !value.equalsIgnoreCase("SMTP")) {
      throw bad("PROTO");
    }
    return esmtp;
  }

  private static @Nullable HeloName helo(Map<String, String> given) throws ArgumentException {
    String value = given.get("HELO");
    if (value == null) {
      return null;
    }
    try {
      return isUnknown(value) || value.isEmpty() ? HeloName.NONE : HeloName.parse(value);
    } catch (ArgumentException e) {
      throw bad("HELO");
    }
  }
}
