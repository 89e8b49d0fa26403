package io.bloomgate.blocklists.memory;

import io.bloomgate.blocklists.memory.Sighting.Origin;
import io.bloomgate.config.name.ClientNetwork;
import java.time.Instant;
import java.util.List;

/**
 * A key and where it was seen. Read by {@link MemoryStore}; immutable.
 *
 * @param seen the oldest first, at least one; of more than the store keeps the newest
 */
record Remembered(RememberedKey key, List<Seen> seen) {

  /**
   * One sighting of it.
   *
   * @param id of the session; empty where it is not known
   * @param network of the client; empty where it is not known
   * @param domain of the sender, as it was registered; empty where there is none
   */
  record Seen(Instant at, Origin origin, String who, String id, String network, String domain) {
    static Seen of(Sighting mail) {
      return new Seen(
          mail.at(),
          mail.origin(),
          mail.who(),
          mail.id(),
          mail.client() == null ? "" : ClientNetwork.site(mail.client()).toString(),
          RememberedKey.registered(mail.sender(), mail.keys()));
    }

    /** The words of a list about it. */
    private String text() {
      String where = origin == Origin.TRAP ? "trap mail " : "reported ";
      return where
          + at.toString().substring(0, "2026-01-01".length())
          + (id.isEmpty() ? "" : " id " + id);
    }
  }

  Remembered {
    seen = List.copyOf(seen);
  }

  Instant last() {
    return seen.getLast().at();
  }

  /**
   * True when it was seen from that many networks and of that many domains; a network and a sender
   * have one of these only.
   */
  boolean isStrong(int sightings) {
    boolean networks = seen.stream().map(Seen::network).distinct().count() >= sightings;
    boolean domains = seen.stream().map(Seen::domain).distinct().count() >= sightings;
    return switch (key.kind()) {
      case BODY, BAND, SUBJECT, URL, HOST, ATTACHMENT -> networks && domains;
      case ADDRESS, DOMAIN -> networks;
      case NETWORK -> domains;
    };
  }

  /** The text that {@code explain} shows of it: the last two sightings. */
  String text() {
    return String.join(
        ", ",
        seen.subList(Math.max(0, seen.size() - 2), seen.size()).stream().map(Seen::text).toList());
  }
}
