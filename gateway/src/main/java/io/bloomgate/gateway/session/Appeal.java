package io.bloomgate.gateway.session;

import io.bloomgate.config.name.IpAddress;
import io.bloomgate.gateway.message.QuotedIds;
import io.bloomgate.gateway.message.TraceHeaders;
import io.bloomgate.gateway.relay.OutgoingContent;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A message to postmaster, abuse or another exempt recipient, which may be the complaint of a
 * sender that was refused: header fields {@code X-Bloomgate-Incident} name the refusals whose ids
 * its text quotes. The fields are above the message, so only what is held before the mail server
 * gets the first octet is searched. Nothing that fails here stops the message. Used by {@link
 * ServerDelivery} on one session's thread; one a message.
 */
final class Appeal {

  private static final Logger LOG = LoggerFactory.getLogger(Appeal.class);

  /** Octets of a message that are searched, from its first one on. */
  static final int SEARCHED_OCTETS = 64 * 1024;

  /** Ids of one message that the store is asked about. */
  static final int MAX_ASKED = 20;

  /** Fields of one message. */
  static final int MAX_FIELDS = 5;

  private final BiFunction<IpAddress, List<String>, List<String>> incidents;
  private final IpAddress client;
  private final Consumer<List<String>> quoted;
  private byte @Nullable [] fields;

  /**
   * Nothing was searched yet.
   *
   * @param incidents as {@link SessionServices#incidents}
   * @param client whose message it is
   * @param quoted gets the ids that are known, at most once
   */
  Appeal(
      BiFunction<IpAddress, List<String>, List<String>> incidents,
      IpAddress client,
      Consumer<List<String>> quoted) {
    this.incidents = incidents;
    this.client = client;
    this.quoted = quoted;
  }

  /**
   * The fields, whole with CRLF; none most of the time. Every mail server gets the same.
   *
   * @param head of the message, which is not held with the rest
   */
  byte[] fields(byte[] head, OutgoingContent held) {
    byte[] known = fields;
    if (known == null) {
      known = TraceHeaders.incidents(find(head, held));
      fields = known;
    }
    return known;
  }

  private List<String> find(byte[] head, OutgoingContent held) {
    try {
      int room = Math.max(0, SEARCHED_OCTETS - head.length);
      byte[] text = TraceHeaders.join(head, held.copyOfHeld(room));
      List<String> asked = QuotedIds.in(text, MAX_ASKED);
      if (asked.isEmpty()) {
        return List.of();
      }
      List<String> known = new ArrayList<>(asked);
      known.retainAll(incidents.apply(client, asked));
      List<String> shown = known.subList(0, Math.min(known.size(), MAX_FIELDS));
      quoted.accept(List.copyOf(shown));
      return shown;
    } catch (RuntimeException bug) {
      LOG.error("a message is relayed without a search for incident ids, because of a bug", bug);
      return List.of();
    }
  }
}
