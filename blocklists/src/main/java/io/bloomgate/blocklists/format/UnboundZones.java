package io.bloomgate.blocklists.format;

import io.bloomgate.blocklists.entry.ListEntry.NameMatch;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.Parsed;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Zones of an unbound file that may be answered from local data: one that is answered with real
 * addresses is somebody's own zone and lists nothing. These may stand before it or behind, so such
 * zones wait before they are handed on. Made by {@link UnboundParser} for one text.
 */
final class UnboundZones {

  /** Zones that wait, and names that are remembered; what lies further apart is not joined. */
  private static final int MOST_WAITING = 100_000;

  /** A zone. */
  private record Zone(boolean through, int line, String written) {}

  private final ParseRun run;
  private final Map<DomainName, Zone> waiting = new LinkedHashMap<>();

  /** Names with real addresses, and all around them. */
  private final Set<DomainName> answered = new HashSet<>();

  UnboundZones(ParseRun run) {
    this.run = run;
  }

  /**
   * A zone; one of the same name that still waits goes on first.
   *
   * @param answers whether data in it would be what clients are told
   */
  void zone(DomainName name, boolean through, boolean answers, int line, String written) {
    Zone zone = new Zone(through, line, written);
    if (!answers) {
      handOn(name, zone);
    } else if (answered.contains(name)) {
      run.skip();
    } else {
      Zone before = waiting.put(name, zone);
      if (before != null) {
        handOn(name, before);
      }
      if (waiting.size() > MOST_WAITING) {
        Map.Entry<DomainName, Zone> eldest = waiting.entrySet().iterator().next();
        waiting.remove(eldest.getKey());
        handOn(eldest.getKey(), eldest.getValue());
      }
    }
  }

  /** A name that is answered with a real address: the zone around it lists nothing. */
  void real(DomainName owner) {
    for (int label = 0; owner.labels() - label >= 2; label++) {
      DomainName around = owner.from(label);
      if (waiting.remove(around) != null) {
        run.skip();
      }
      if (answered.size() < MOST_WAITING) {
        answered.add(around);
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
