package io.bloomgate.gateway;

import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.blocklists.decision.Policy;
import io.bloomgate.blocklists.decision.Recipients;
import io.bloomgate.blocklists.sessions.SessionQuery;
import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.notation.Quantities;
import io.bloomgate.config.notation.Shown;
import io.bloomgate.config.settings.RecipientProfile;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.gateway.sessions.SessionStore;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks in the kept sessions whether a trap is an address that somebody reads: mail for a live
 * mailbox would be missed without a word. Asked at the start and after each reload, each time on a
 * platform thread that gives way to mail: a virtual one would hold a processor while the database
 * is read.
 */
final class TrapWatch {

  private static final Logger LOG = LoggerFactory.getLogger(TrapWatch.class);

  /** The time that is looked at. */
  private static final Duration LOOKED = Duration.ofDays(30);

  /** Alarms; of more addresses those with the most mail. */
  private static final int MAX_ALARMS = 20;

  private final SessionStore kept;
  private final InstantSource clock;
  private volatile List<String> alarms = List.of();

  TrapWatch(SessionStore kept, InstantSource clock) {
    this.kept = kept;
    this.clock = clock;
  }

  /** A sentence for each address that is a trap and got mail. */
  List<String> alarms() {
    return alarms;
  }

  /**
   * Asks about what is in force when its turn comes; may take seconds.
   *
   * @param inForce the settings
   * @param policy which says who is a trap: an exempt recipient of a domain of traps is none
   */
  synchronized void look(Supplier<Settings> inForce, Supplier<Policy> policy) {
    Settings settings = inForce.get();
    Map<String, Long> mails = new TreeMap<>();
    boolean anyTrap = settings.recipients().values().stream().anyMatch(RecipientProfile::isTrap);
    if (anyTrap && settings.sessions().keeps()) {
      Instant now = clock.instant();
      Recipients recipients = policy.get().recipients();
      try {
        kept.search(_ -> {})
            .accepted(
                SessionQuery.of(now.minus(LOOKED), now),
                (to, times) -> {
                  if (isTrap(to.toLowerCase(Locale.ROOT), recipients, now)) {
                    mails.merge(to.toLowerCase(Locale.ROOT), times, Long::sum);
                  }
                });
      } catch (IOException e) {
        LOG.warn("whether traps got mail is not known: {}", Faults.words(e));
        return;
      }
    }
    String after =
        settings.traps().drop() ? "such mail is dropped now" : "such mail counts as spam now";
    alarms =
        mails.entrySet().stream()
            .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
            .limit(MAX_ALARMS)
            .map(each ->
                "trap %s: %s delivered to it in the last %d days; %s"
                    .formatted(
                        Shown.bare(each.getKey()),
                        Quantities.count(each.getValue(), "mail was", "mails were"),
                        LOOKED.toDays(),
                        after))
            .toList();
    alarms.forEach(LOG::warn);
  }

  private static boolean isTrap(String address, Recipients recipients, Instant now) {
    int at = address.lastIndexOf('@');
    if (at < 0) {
      return false; // of the whole gateway, or masked
    }
    Recipients.Own own =
        recipients.of(
            new Facts.Recipient(address.substring(0, at), address.substring(at + 1), true), now);
    return own != null && own.profile().isTrap();
  }
}
