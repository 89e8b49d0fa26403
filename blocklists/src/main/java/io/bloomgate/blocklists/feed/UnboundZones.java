package io.bloomgate.blocklists.feed;

import io.bloomgate.blocklists.key.DomainName;
import io.bloomgate.blocklists.key.ListEntry.NameMatch;
import io.bloomgate.blocklists.key.Parsed;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Zones of an unbound file that wait a while before they are handed on: one that answers with real
 * addresses is somebody's own zone and lists nothing, and these may stand behind it. Made by {@link
 * UnboundParser} for one text.
 */
final class UnboundZones {

  /** Zones that wait; data further behind its zone is not seen to belong to it. */
  private static final int MOST_WAITING = 1000;

  /**
   * A zone.
   *
   * @param answers whether data in it would be what clients are told
   */
  private record Zone(boolean through, boolean answers, int line, String written) {}

  private final ParseRun run;
  private final Map<DomainName, Zone> waiting = new LinkedHashMap<>();

  UnboundZones(ParseRun run) {
    this.run = run;
  }

  /** A zone; one of the same name that still waits goes on first. */
  void zone(DomainName name, boolean through, boolean answers, int line, String written) {
    Zone before = waiting.remove(name);
    if (before != null) {
      handOn(name, before);
    }
    waiting.put(name, new Zone(through, answers, line, written));
    if (waiting.size() > MOST_WAITING) {
      Map.Entry<DomainName, Zone> eldest = waiting.entrySet().iterator().next();
      waiting.remove(eldest.getKey());
      handOn(eldest.getKey(), eldest.getValue());
    }
  }

  /** A name that is answered with a real address: the zone around it lists nothing. */
  void real(DomainName owner) {
    for (int label = 0; owner.labels() - label >= 2; label++) {
      DomainName around = owner.from(label);
      Zone zone = waiting.get(around);
      if (zone != null && zone.answers) {
        waiting.remove(around);
        run.skip();
      }
    }
  }

  /** The text is read to its end. */
  void end() {
    waiting.forEach(this::handOn);
    waiting.clear();
  }

  private void handOn(DomainName name, Zone zone) {
    run.name(Parsed.ok(name), NameMatch.SUFFIX, zone.through, zone.line, zone.written);
  }
}
