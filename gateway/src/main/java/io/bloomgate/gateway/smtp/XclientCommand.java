package io.bloomgate.gateway.smtp;

import io.bloomgate.config.name.IpAddress;
import java.util.HashSet;
import java.util.Locale;
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

  private static final String IPV6_TAG = "IPV6:";

  /** Reads what follows the verb. */
  public static XclientCommand parse(String argument) throws ArgumentException {
    if (argument.isEmpty()) {
      throw invalid("Syntax: XCLIENT attribute=value ...");
    }
    Builder builder = new Builder();
    Set<String> seen = new HashSet<>();
    for (String word : argument.split(" ", -1)) {
      if (word.isEmpty()) {
        continue;
      }
      int equals = word.indexOf('=');
      if (equals < 1) {
        throw invalid("Syntax: XCLIENT attribute=value ...");
      }
      String name = word.substring(0, equals).toUpperCase(Locale.ROOT);
      @Nullable String value = Xtext.decode(word.substring(equals + 1)).orElse(null);
      if (value == null || !seen.add(name) || !builder.set(name, value)) {
        throw invalid("Bad or repeated XCLIENT attribute " + Escape.text(name, 40));
      }
    }
    return builder.build();
  }

  private static ArgumentException invalid(String text) {
    return new ArgumentException(Replies.syntax(text));
  }

  private static boolean isUnknown(String value) {
    return value.equalsIgnoreCase("[UNAVAILABLE]") || value.equalsIgnoreCase("[TEMPUNAVAIL]");
  }

  /** Collects the attributes of one command. */
  private static final class Builder {
    private @Nullable IpAddress address;
    private boolean addressUnknown;
    private int port = -1;
    private @Nullable Boolean esmtp;
    private @Nullable HeloName helo;
    private @Nullable IpAddress destination;
    private int destinationPort = -1;

    /** False when the attribute is not known or its value is malformed. */
    boolean set(String name, String value) {
      boolean unknown = isUnknown(value);
      return switch (name) {
        // Names from reverse DNS decide nothing here, so none is kept.
        case "NAME" -> true;
        case "ADDR" -> {
          addressUnknown = unknown;
          address = unknown ? null : parseAddress(value);
          yield unknown || address != null;
        }
        case "PORT" -> {
          port = unknown ? 0 : parsePort(value);
          yield port >= 0;
        }
        case "PROTO" -> {
          esmtp = value.equalsIgnoreCase("ESMTP");
          yield esmtp || value.equalsIgnoreCase("SMTP");
        }
        case "HELO" -> {
          helo = unknown || value.isEmpty() ? new HeloName("", null) : parseHelo(value);
          yield helo != null;
        }
        case "DESTADDR" -> {
          destination = unknown ? null : parseAddress(value);
          yield unknown || destination != null;
        }
        case "DESTPORT" -> {
          destinationPort = unknown ? -1 : parsePort(value);
          yield unknown || destinationPort >= 0;
        }
        default -> false;
      };
    }

    XclientCommand build() {
      return new XclientCommand(
          address, addressUnknown, port, esmtp, helo, destination, destinationPort);
    }

    private static @Nullable IpAddress parseAddress(String value) {
      boolean six = value.regionMatches(true, 0, IPV6_TAG, 0, IPV6_TAG.length());
      String text = six ? value.substring(IPV6_TAG.length()) : value;
      return IpAddress.parse(text).toOptional().orElse(null);
    }

    private static int parsePort(String value) {
      if (value.isEmpty()
          || value.length() > 5
          || !value.chars().allMatch(c -> c >= '0' && c <= '9')) {
        return -1;
      }
      int port = Integer.parseInt(value);
      return port <= 0xffff ? port : -1;
    }

    private static @Nullable HeloName parseHelo(String value) {
      try {
        return HeloName.parse(value);
      } catch (ArgumentException e) {
        return null;
      }
    }
  }
}
