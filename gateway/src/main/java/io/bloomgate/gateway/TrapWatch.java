package io.bloomgate.gateway;

import io.bloomgate.blocklists.sessions.SessionQuery;
import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.notation.Quantities;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.config.settings.TrapSettings;
import io.bloomgate.gateway.sessions.SessionStore;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks in the kept sessions whether a trap of the settings is an address that somebody reads: mail
 * for a live mailbox would be missed without a word. Asked at the start and after each reload, on a
 * separate thread.
 */
final class TrapWatch {

  private static final Logger LOG = LoggerFactory.getLogger(TrapWatch.class);

  /** The time that is looked at. */
  private static final Duration LOOKED = Duration.ofDays(30);

  private final SessionStore kept;
  private final InstantSource clock;
  private volatile List<String> alarms = List.of();

  TrapWatch(SessionStore kept, InstantSource clock) {
    this.kept = kept;
    this.clock = clock;
  }

  /** A sentence for each trap to which mail was delivered. */
  List<String> alarms() {
    return alarms;
  }

  /** Asks about the traps of the settings that came into force; may take seconds. */
  void look(Settings settings) {
    List<String> traps =
        settings.recipients().entrySet().stream()
            .filter(each -> each.getValue().isTrap())
            .map(Map.Entry::getKey)
            .toList();
    Map<String, Long> mails = new TreeMap<>();
    Instant now = clock.instant();
    try {
      if (!traps.isEmpty() && settings.sessions().keeps()) {
        kept.search(_ -> {})
            .accepted(
                SessionQuery.of(now.minus(LOOKED), now),
                (to, times) ->
                    traps.stream()
                        .filter(trap -> TrapSettings.covers(trap, to))
                        .findFirst()
                        .ifPresent(trap -> mails.merge(trap, times, Long::sum)));
      }
    } catch (IOException e) {
      LOG.warn("whether traps got mail is not known: {}", Faults.words(e));
      return;
    }
    String after =
        settings.traps().drop() ? "such mail is dropped now" : "such mail counts as spam now";
    alarms =
        mails.entrySet().stream()
            .map(each ->
                "trap %s: %s delivered to it in the last %d days; %s"
                    .formatted(
                        each.getKey(),
                        Quantities.count(each.getValue(), "mail was", "mails were"),
                        LOOKED.toDays(),
                        after))
            .toList();
    alarms.forEach(LOG::warn);
  }
}
