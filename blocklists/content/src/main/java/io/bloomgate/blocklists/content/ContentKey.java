package io.bloomgate.blocklists.content;

import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.name.Keyed;
import io.bloomgate.config.name.Likeness;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.name.WebUrl;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Something in a mail that lists are asked for. Made by the reader of the mail, asked by the
 * decision at the end of the mail. Immutable.
 *
 * @param check one of {@link Check#OF_CONTENT}
 * @param key what is asked for
 * @param place how it is in the mail
 */
public record ContentKey(Check check, ListKey key, Place place) {

  /** The result of {@link DomainName#asked} for labels that are none. */
  private static final String UNREADABLE = "?.";

  public ContentKey {
    if (!Check.OF_CONTENT.contains(check)) {
      throw new IllegalArgumentException(check + " is not of the content");
    }
  }

  // Java makes these of method handles, which its compiler does not always join with the caller:
  // that
  // took a tenth of the reading of a mail.
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ContentKey(Check otherCheck, ListKey otherKey, Place otherPlace)
        && check == otherCheck
        && place == otherPlace
        && key.equals(otherKey);
  }

  @Override
  public int hashCode() {
    return key.hashCode(); // few keys of a mail are asked for by two checks
  }

  /**
   * The key of this text, as its {@code toString} writes it, of this check; empty for what a mail
   * cannot have there.
   */
  public static Optional<ContentKey> parse(Check check, String text, Place place) {
    Optional<? extends ListKey> key =
        switch (check) {
          case FROM -> MailAddress.parse(text).toOptional();
          case FROM_DOMAIN, REPLY_TO_DOMAIN -> DomainName.asked(text);
          case URL -> url(text);
          case URL_HOST -> url(text).map(WebUrl::host);
          case ATTACHMENT, SUBJECT -> Fingerprint.parse(text).toOptional();
          case BODY ->
              text.startsWith("like:")
                  ? Likeness.parse(text).toOptional()
                  : Fingerprint.parse(text).toOptional();
          case CLIENT_IP, CLIENT_NAME, HELO, SENDER, SENDER_DOMAIN, ASN -> Optional.empty();
        };
    return key.map(found -> new ContentKey(check, found, place));
  }

  /**
   * A host may begin with the label {@code ?}, which takes the place of labels that are none: in a
   * URL as it is written it would begin the query, so another label that is none replaces it.
   */
  private static Optional<WebUrl> url(String text) {
    return WebUrl.asked(
        text.startsWith(UNREADABLE) ? "//!." + text.substring(UNREADABLE.length()) : text);
  }

  /**
   * The place of a key in a mail. Only what the reader of the mail meets as the sender's own can
   * refuse it; reports and bounces quote what is listed.
   */
  public enum Place implements Keyed {
    /** The sender's own: an address with its scheme, a link, a field, a part. */
    OPEN,
    /** A name in a text without scheme; many such words are no hosts, or name a site. */
    SCHEMELESS,
    /** A mail inside the mail, a quote of one, a report, or the query of another URL has it. */
    NESTED;

    /** The place of this word; empty for any other word. */
    public static Optional<Place> of(String word) {
      return Stream.of(values()).filter(place -> place.key().equals(word)).findFirst();
    }
  }

  /**
   * The same in an answer: a person who answers quotes links of others, in whatever way his mail
   * program writes that.
   */
  public ContentKey quoted() {
    boolean isLink = check == Check.URL || check == Check.URL_HOST;
    return isLink ? new ContentKey(check, key, Place.NESTED) : this;
  }
}
