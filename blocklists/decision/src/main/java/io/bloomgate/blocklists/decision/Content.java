package io.bloomgate.blocklists.decision;

import io.bloomgate.blocklists.campaign.Bulk;
import io.bloomgate.blocklists.content.ContentKey;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.Sign;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The content of a mail, as far as a list, a rule, a sign or an entry of the operator asks for it.
 * Immutable.
 *
 * @param keys what lists are asked for
 * @param most the strongest action that content may have for each of the accepted recipients, who
 *     get one mail
 * @param bulk how many copies of the mail passed, from how many networks; {@code null} for few
 * @param signs that it shows, but for bulk
 */
public record Content(List<ContentKey> keys, Action most, @Nullable Bulk bulk, List<Shown> signs) {

  /** Nothing is known: before the end of the mail, or nobody asks. */
  public static final Content NONE = new Content(List.of());

  /**
   * A sign that a mail shows.
   *
   * @param subject what shows it; {@code null} for the mail as a whole, which is its client's
   * @param seen in printable ASCII
   */
  public record Shown(Sign sign, @Nullable ListKey subject, String seen) {

    /** The sign that was written down so; a subject that is none stands for the whole mail. */
    public static Shown of(Sign sign, String subject, String seen) {
      // The subject of a sign of letters is the domain of From.
      Check check = sign.check() == Check.FROM ? Check.FROM_DOMAIN : sign.check();
      boolean isOfMail = check == Check.URL_HOST || IpAddress.parse(subject).toOptional().isEmpty();
      Optional<ContentKey> key =
          isOfMail ? ContentKey.parse(check, subject, ContentKey.Place.OPEN) : Optional.empty();
      return new Shown(sign, key.map(ContentKey::key).orElse(null), seen);
    }
  }

  public Content {
    keys = List.copyOf(keys);
    signs = List.copyOf(signs);
  }

  /** Content that shows nothing but keys. */
  public Content(List<ContentKey> keys) {
    this(keys, List.of());
  }

  /** Content whose copies are not known. */
  public Content(List<ContentKey> keys, List<Shown> signs) {
    this(keys, Action.REJECT, null, signs);
  }

  /** True when there is no key to ask lists for. */
  public boolean isEmpty() {
    return keys.isEmpty();
  }

  /** True when a list, a rule or a sign may decide by it. */
  public boolean isSeen() {
    return !keys.isEmpty() || bulk != null || !signs.isEmpty();
  }

  /** True when some of it was not read, because there is too much of it. */
  public boolean isPartlyRead() {
    return signs.stream().anyMatch(shown -> shown.sign() == Sign.PARTLY_READ);
  }

  /** The same where content may do no more than this. */
  public Content atMost(Action action) {
    return new Content(keys, action, bulk, signs);
  }

  /** The same without the keys, for those who keep it. */
  public Content withoutKeys() {
    return keys.isEmpty() ? this : new Content(List.of(), Action.REJECT, bulk, signs);
  }
}
