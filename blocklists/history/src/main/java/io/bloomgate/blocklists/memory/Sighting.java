package io.bloomgate.blocklists.memory;

import io.bloomgate.blocklists.content.ContentKey;
import io.bloomgate.blocklists.content.ContentKey.Place;
import io.bloomgate.blocklists.content.MailEvidence;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.Keyed;
import io.bloomgate.config.name.MailAddress;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The keys and the way of one mail of which somebody says that it is spam, or good. Made by
 * sessions whose mail was for a trap, and by the handlers of reports; taken by {@link Sightings}.
 * Immutable.
 *
 * @param at when the mail came; of a report, when it was reported
 * @param who the trap's address, or who reports; shown to the operator
 * @param id of the mail's session; empty where it is not known
 * @param client from which the mail came to us or, of a report, to the mail server; {@code null}
 *     where it is not known
 * @param sender of the envelope; {@code null} for {@code <>} and where it is not known
 * @param keys of the content, each once; those of quotes and of tiny attachments are not among them
 */
public record Sighting(
    Instant at,
    Origin origin,
    String who,
    String id,
    @Nullable IpAddress client,
    @Nullable MailAddress sender,
    List<ContentKey> keys) {

  public Sighting {
    keys = List.copyOf(keys);
  }

  /** The way by which it was seen. */
  public enum Origin implements Keyed {
    TRAP,
    REPORT
  }

  /**
   * The same of a mail that was read whole, with all of {@link Check#OF_CONTENT} wanted and this
   * gateway's seed.
   */
  public static Sighting of(
      Instant at,
      Origin origin,
      String who,
      String id,
      @Nullable IpAddress client,
      @Nullable MailAddress sender,
      MailEvidence mail) {
    List<ContentKey> own =
        mail.keys().stream()
            .filter(key -> key.place() == Place.OPEN)
            .filter(key ->
                key.check() != Check.ATTACHMENT || mail.print().attachments().contains(key.key()))
            .toList();
    return new Sighting(at, origin, who, id, client, sender, own);
  }
}
