package io.bloomgate.gateway.message;

import io.bloomgate.config.name.IpAddress;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the client that gave a mail to a trusted forwarder, in the Received fields that the
 * forwarder wrote (RFC 5321 section 4.4). Pure; asked by sessions once a mail of a forwarder.
 *
 * <p>Each hop puts its field above those that came, so those of the forwarder are on top: internal
 * hops first, whose client is a private address or a forwarder, then the one that has the client.
 * What is below, a stranger wrote. A field that cannot be read for certain ends the search.
 */
public final class ForwardedClient {

  /** Fields of internal hops that are passed over; a chain of more is not believed. */
  public static final int MAX_FIELDS = 20;

  /** Characters of a field that is read. */
  private static final int MAX_CHARACTERS = 2_000;

  /** Comments without an address, as of TLS, before the one clause {@code by}. */
  private static final String THEN_BY =
      "(?: \\([^()\\[\\]]*+(?:\\([^()\\[\\]]*+\\)[^()\\[\\]]*+)*+\\))*+ by (?!.* by )\\S.*+";

  private static final String ADDRESS = "(?:IPv6:)?([0-9A-Fa-f.:]{3,45})";
  private static final String LITERAL = "\\[" + ADDRESS + "\\](?::\\d{1,5})?";
  private static final String NAME = "[^\\s()\\[\\]=@]++";
  private static final String HELO = "from [^\\s()]++ ";

  /** Words that some servers add to the address: {@code helo=NAME}, {@code port=N}, ident. */
  private static final String WORDS = "[a-z]++=[^\\s()]++(?: [a-z]++=[^\\s()]++)*+";

  /**
   * The forms of mail servers. What the client said, its HELO, has no blank and no parenthesis in
   * any of them: each server replaces or refuses these.
   */
  private static final List<Pattern> FORMS =
      Stream.of(
              // Postfix, Sendmail, Gmail, this gateway, Exim: NAME (NAME [ADDRESS])
              HELO
                  + "\\((?:(?:NAME@)?+NAME |NAME@)?+".replace("NAME", NAME)
                  + LITERAL
                  + "(?: \\(may be forged\\)| "
                  + WORDS
                  + ")?+\\)",
              // Exim, where the address has no name: [ADDRESS] (helo=NAME)
              "from " + LITERAL + " \\(" + WORDS + "\\)",
              // Exchange: NAME (ADDRESS)
              HELO + "\\(" + ADDRESS + "\\)",
              // qmail, Yahoo: NAME (HELO NAME) (IDENT@ADDRESS)
              HELO
                  + "\\((?:HELO|EHLO) [^\\s()]++\\) \\((?:[^\\s()\\[\\]@]++@)?+\\[?"
                  + ADDRESS
                  + "\\]?\\)")
          .map(form -> Pattern.compile(form + THEN_BY))
          .toList();

  /**
   * A hop without a client: a queue or a filter of the forwarder, not a user of its host or page.
   */
  private static final Pattern INTERNAL =
      Pattern.compile(
          "by (?!.*\\b(?:from|with HTTP)\\b).*|\\(qmail \\d++ invoked (?:from network|by"
              + " alias)\\).*");

  private ForwardedClient() {}

  /**
   * The client; {@code null} when the fields do not say who it is.
   *
   * @param received the topmost Received fields of the mail as it came, unfolded
   * @param internal true for the client of a hop inside of a forwarder
   */
  public static @Nullable IpAddress of(List<String> received, Predicate<IpAddress> internal) {
    for (String field : received) {
      String text = field.strip().replaceAll("\\s++", " ");
      if (text.length() > MAX_CHARACTERS) {
        return null;
      }
      if (!INTERNAL.matcher(text).matches()) {
        IpAddress client = client(text);
        if (client == null || !internal.test(client)) {
          return client;
        }
      }
    }
    return null;
  }

  private static @Nullable IpAddress client(String field) {
    for (Pattern form : FORMS) {
      Matcher found = form.matcher(field);
      if (found.matches()) {
        return IpAddress.parse(found.group(1)).toOptional().orElse(null);
      }
    }
    return null;
  }
}
