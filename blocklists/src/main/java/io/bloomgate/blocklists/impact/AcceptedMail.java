package io.bloomgate.blocklists.impact;

import io.bloomgate.blocklists.decision.Policy;
import io.bloomgate.blocklists.entry.ListEntry;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Sessions of good networks whose mail was accepted, and that no list was against: what a new
 * version of a list should leave alone. Sessions that every list sees alike are one. Read by the
 * feed-refresher for one refresh; immutable.
 */
public final class AcceptedMail {

  /** Different entries of a list that are picked; a list with more of them cannot be tried. */
  public static final int MAX_ENTRIES = 100_000;

  /** None. */
  public static final AcceptedMail NONE = new AcceptedMail(List.of(), "");

  private final List<PastSession> sessions;
  private final String shortfall;
  private final MailKeys keys;

  private AcceptedMail(List<PastSession> sessions, String shortfall) {
    this.sessions = sessions;
    this.shortfall = shortfall;
    this.keys = new MailKeys(sessions);
  }

  /**
   * The newest sessions with accepted mail, as many as the window has room for.
   *
   * @param policy says which recipients are exempt
   * @param goodSessions with mail accepted on one day that make a network a good one; of two days
   *     one session each is enough
   * @throws IOException when the sessions cannot be read
   */
  public static AcceptedMail read(AcceptedSource from, Policy policy, int goodSessions)
      throws IOException {
    MailWindow window = new MailWindow(policy, goodSessions);
    String shortfall =
        from.read(window)
            .filter(_ -> !window.wasFull())
            .map(bound ->
                "only %d of %d sessions with accepted mail were found, the reading ended after %s"
                    .formatted(window.sessions(), MailWindow.MAX_SESSIONS, bound))
            .orElse("");
    return new AcceptedMail(window.ofGoodNetworks(), shortfall);
  }

  /** The reason why older mail is missing that should be among them; empty when none is. */
  public String shortfall() {
    return shortfall;
  }

  /** True when there is nothing that a list could hit. */
  public boolean isEmpty() {
    return sessions.isEmpty();
  }

  /**
   * Picks the entries of a list that may concern these sessions, exceptions too: what the list is
   * to them, in few entries. An entry that the list repeats is one.
   */
  public final class Concerned {
    private final Map<ListEntry, ListEntry> entries = new LinkedHashMap<>();
    private boolean tooMany;

    /** One entry of the list. */
    public void take(ListEntry entry) {
      if (!keys.mayConcern(entry)) {
        return;
      }
      ListEntry same = entry.with(entry.exception(), 0);
      if (entries.size() < MAX_ENTRIES) {
        entries.putIfAbsent(same, entry);
      } else if (!entries.containsKey(same)) {
        tooMany = true;
      }
    }

    /** True when there are more than {@link #MAX_ENTRIES}: some were not picked. */
    public boolean tooMany() {
      return tooMany;
    }

    /** The picked entries, in the order of the list. */
    public List<ListEntry> entries() {
      return List.copyOf(entries.values());
    }
  }

  /** Picks from one list. */
  public Concerned concerned() {
    return new Concerned();
  }

  List<PastSession> sessions() {
    return sessions;
  }
}
