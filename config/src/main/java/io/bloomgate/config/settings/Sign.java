package io.bloomgate.config.settings;

import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.Keyed;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A mark that a client or its mail shows by itself, without any list. Each has its own action and
 * may be one of the lists of a {@link Rule}.
 */
public enum Sign implements Keyed {
  /** DNS reports that the client's address has no name. */
  NO_REVERSE_NAME(Check.CLIENT_NAME),
  /** The name of the address does not lead back to it (RFC 8601 section 2.7.3, "iprev"). */
  UNCONFIRMED_NAME(Check.CLIENT_NAME),
  /** The name of the address is one that a provider made from the address or for a pool. */
  GENERIC_NAME(Check.CLIENT_NAME),
  /** HELO names this gateway, one of our domains or our address. */
  OWN_NAME_IN_HELO(Check.HELO),
  /** HELO gives an address that is not the client's (RFC 5321 section 4.1.3). */
  HELO_LITERAL_OF_OTHER(Check.HELO),
  /** The client spoke before the banner (RFC 5321 section 4.3.1). */
  EARLY_TALKER(Check.CLIENT_IP),
  /**
   * The mail is one of many copies from many networks (section {@code content}). Newsletters are,
   * too, so that it never asks for more than to be observed, and no rule counts it alone.
   */
  BULK(Check.BODY),
  /**
   * Some of the mail was not read, because there is too much of it. Without a setting it tags where
   * a list may refuse content, so that no filler hides a listed link silently.
   */
  PARTLY_READ(Check.BODY),
  /** Some of the mail is against the rules of MIME, so that programs may read it differently. */
  MALFORMED(Check.BODY),
  /** The host of a link is a public address (RFC 3986 section 3.2.2). */
  LINK_TO_ADDRESS(Check.URL_HOST),
  /** Answers go to a mailbox that anybody can have, and From is somewhere else. */
  FREE_MAIL_REPLY_TO(Check.REPLY_TO_DOMAIN),
  /** Letters in From or Subject that only look like others, or that nobody sees. */
  ODD_LETTERS(Check.FROM),
  /** The name in From is, or has, an address of another domain than that of From. */
  ADDRESS_IN_FROM_NAME(Check.FROM),
  /**
   * A From field claims one of our domains or one of {@code content.brands}, from another network.
   */
  OWN_NAME_IN_FROM(Check.FROM_DOMAIN);

  private final Check check;

  Sign(Check check) {
    this.check = check;
  }

  /** The sign of the content that has this name, bulk aside; empty for any other name. */
  public static Optional<Sign> ofContent(String name) {
    return Stream.of(values())
        .filter(sign -> Check.OF_CONTENT.contains(sign.check) && sign != BULK)
        .filter(sign -> sign.key().equals(name))
        .findFirst();
  }

  /** True where the mail is read because this sign counts. */
  public boolean needsContent() {
    return Check.OF_CONTENT.contains(check) && check != Check.BODY;
  }

  /** The part of a session that shows it. */
  public Check check() {
    return check;
  }
}
