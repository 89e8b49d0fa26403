package io.bloomgate.blocklists.impact;

import io.bloomgate.config.json.JsonRecords;
import io.bloomgate.config.json.JsonRecords.Inline;
import io.bloomgate.config.json.JsonRecords.Named;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The effect of a change on past sessions: the answer of {@code impact} and {@code replay}.
 * Immutable.
 *
 * @param sessions that were read
 * @param delivered of them with mail that was accepted
 * @param first time of the earliest, {@code null} without any
 * @param last time of the latest, {@code null} without any
 * @param hits sessions that the change refuses
 * @param already of them refused without it too
 * @param tagged sessions that the change tags only, and that were not tagged without it
 * @param fresh of the hits refused by nothing else, or put off only
 * @param fewer sessions that are refused without the change only
 * @param missing sessions of which a part is not known, so that lists could not be asked about it
 * @param forgotten accepted sessions whose senders were too many to be remembered
 */
public record ImpactReport(
    long sessions,
    long delivered,
    @Nullable Instant first,
    @Nullable Instant last,
    Sum hits,
    Already already,
    Sum tagged,
    @Named("new") Group fresh,
    Group fewer,
    @Named("not_known") Map<PastSession.Missing, Long> missing,
    @Named("accepted_not_remembered") long forgotten) {

  public ImpactReport {
    missing = Collections.unmodifiableMap(new TreeMap<>(missing));
  }

  /**
   * Sessions.
   *
   * @param putOff of them with a refusal for now: tempfail or greylist
   * @param delivered of them with mail that was accepted then
   */
  public record Sum(long sessions, long putOff, long delivered) {

    static final Sum NONE = new Sum(0, 0, 0);

    Sum plus(PastSession session, boolean later) {
      long times = session.times();
      boolean accepted = session.outcome() == PastSession.Outcome.ACCEPTED;
      return new Sum(
          sessions + times, putOff + (later ? times : 0), delivered + (accepted ? times : 0));
    }
  }

  /**
   * Sessions whose verdict changes, by sender.
   *
   * @param known senders whose mail was accepted before, in a log also of the mail that is judged:
   *     the ones to look at
   * @param noted other senders whose mail was accepted only because mode observe or an exemption
   *     let it pass: spam, or a good sender that was listed from the first day on
   * @param unknownNetworks number of networks of all other senders
   * @param networkCount number of networks of all senders
   * @param networks those with the most sessions
   * @param domainCount number of sender domains
   * @param domains those with the most sessions; an empty name for mail without one
   * @param omitted sessions of senders too many to be named
   */
  public record Group(
      @Inline Sum sum,
      @Named("accepted_before") Senders known,
      @Named("noted_only") Senders noted,
      @Named("networks_not_known") int unknownNetworks,
      @Named("networks") int networkCount,
      @Named("by_network") List<Network> networks,
      @Named("sender_domains") int domainCount,
      @Named("by_sender_domain") List<Domain> domains,
      @Named("not_named") long omitted) {}

  /**
   * Senders of one kind.
   *
   * @param sessions of all of them
   * @param count of these senders
   * @param most those with the most sessions
   */
  public record Senders(long sessions, int count, @Named("senders") List<Sender> most) {}

  /**
   * A sender whose mail was accepted.
   *
   * @param network as one holder usually has it
   * @param domain of the envelope sender, empty for none
   * @param client of the latest session
   * @param sessions whose verdict changes
   * @param delivered of them with mail that was accepted
   * @param accepted sessions with accepted mail in the whole time
   * @param list that decides on the latest session; empty when a check failed
   * @param entry of that list
   */
  public record Sender(
      IpPrefix network,
      @Named("sender_domain") String domain,
      @Named("client_ip") IpAddress client,
      long sessions,
      long delivered,
      long accepted,
      String list,
      String entry) {}

  /** A network or a domain, and its sessions. */
  public sealed interface Row {
    /** The network or the domain. */
    String name();

    /** The sessions. */
    long sessions();

    /** Sessions of them with mail that was accepted then. */
    long delivered();
  }

  /** A network. */
  public record Network(@Named("network") String name, long sessions, long delivered)
      implements Row {}

  /** A sender domain; empty for mail without one. */
  public record Domain(@Named("sender_domain") String name, long sessions, long delivered)
      implements Row {}

  /**
   * Sessions that are refused anyway.
   *
   * @param lists that refuse them, at most about a thousand; a session that two lists refuse counts
   *     for both
   */
  public record Already(@Inline Sum sum, Map<String, Long> lists) {

    public Already {
      lists = Collections.unmodifiableMap(new TreeMap<>(lists));
    }
  }

  /** The answer of the commands. */
  public JsonObject toJson() {
    return JsonRecords.of(this);
  }
}
