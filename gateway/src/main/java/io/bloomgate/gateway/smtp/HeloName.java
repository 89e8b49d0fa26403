package io.bloomgate.gateway.smtp;

import io.bloomgate.blocklists.decision.HeloKeys;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.ListKey;
import org.jspecify.annotations.Nullable;

/**
 * The argument of HELO or EHLO. Bad names are taken, because RFC 5321 section 4.1.4 forbids to
 * refuse mail for them; they only yield no key. Immutable.
 *
 * @param text the first word as the client gave it, without control characters; what is behind it,
 *     such as a comment, is dropped, and so is what is beyond 255 characters
 * @param key what lists are asked (rules of decision in gateway/README.md); {@code null} for a
 *     single label and for anything that is neither name nor literal
 * @param address that it is, as a literal or bare; {@code null} for none
 */
public record HeloName(String text, @Nullable ListKey key, @Nullable IpAddress address) {

  /** No name. */
  static final HeloName NONE = new HeloName("", null, null);

  /** RFC 5321 section 4.5.3.1.2. */
  private static final int MAX_CHARACTERS = 255;

  /** Reads what follows the verb. */
  public static HeloName parse(String argument) throws ArgumentException {
    int end = 0;
    boolean control = false;
    while (end < argument.length() && !CommandInput.Line.isBlank(argument.charAt(end))) {
      control |= argument.charAt(end) < ' ' || argument.charAt(end) == 0x7f;
      end++;
    }
    if (end == 0 || control) {
      throw new ArgumentException(Replies.syntax("Syntax: EHLO hostname"));
    }
    String name = argument.substring(0, end);
    String text = end <= MAX_CHARACTERS ? name : name.substring(0, MAX_CHARACTERS);
    return new HeloName(
        text, HeloKeys.parse(name).orElse(null), HeloKeys.address(text).orElse(null));
  }
}
