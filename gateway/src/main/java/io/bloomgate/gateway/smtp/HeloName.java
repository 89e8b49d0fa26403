package io.bloomgate.gateway.smtp;

import io.bloomgate.blocklists.decision.HeloKeys;
import io.bloomgate.config.name.ListKey;
import org.jspecify.annotations.Nullable;

/**
 * The argument of HELO or EHLO. Bad names are taken, because RFC 5321 section 4.1.4 forbids to
 * refuse mail for them; they only yield no key. Immutable.
 *
 * @param text as the client gave it: printable ASCII without spaces, at most 255 octets
 * @param key what lists are asked (contract, section 3); {@code null} for a single label and for
 *     anything that is neither name nor literal
 */
public record HeloName(String text, @Nullable ListKey key) {

  /** RFC 5321 section 4.5.3.1.2. */
  private static final int MAX_OCTETS = 255;

  /** Reads what follows the verb. */
  public static Argument<HeloName> parse(String argument) {
    if (argument.isEmpty()) {
      return new Argument.Invalid<>(Replies.syntax("Syntax: EHLO hostname"));
    }
    if (argument.length() > MAX_OCTETS) {
      return new Argument.Invalid<>(Replies.syntax("The name is longer than 255 octets"));
    }
    for (int i = 0; i < argument.length(); i++) {
      if (argument.charAt(i) <= ' ' || argument.charAt(i) > '~') {
        return new Argument.Invalid<>(
            Replies.syntax("Syntax: EHLO hostname, without spaces and in ASCII"));
      }
    }
    return new Argument.Valid<>(new HeloName(argument, HeloKeys.parse(argument).orElse(null)));
  }
}
