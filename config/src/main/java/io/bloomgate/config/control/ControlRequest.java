package io.bloomgate.config.control;

import io.bloomgate.config.json.JsonRecords.Named;
import io.bloomgate.config.json.JsonRecords.Rare;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.name.Role;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.Mode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A question or an order of the command line to a running gateway; a closed family, so that the
 * server's switch misses none.
 *
 * <p>Texts are as the user typed them: the server parses them and answers in words. Immutable.
 */
public sealed interface ControlRequest {

  /** A request that changes nothing. */
  sealed interface Asks extends ControlRequest {}

  /** A request that changes something, or may. */
  sealed interface Changes extends ControlRequest {}

  /**
   * The least role that may make this request; the gateway asks before it answers. The role support
   * may add and remove some allow entries: their handler has the limits.
   */
  default Role needed() {
    return switch (this) {
      case Asks _ -> Role.READ;
      case ListImport tried when tried.dryRun -> Role.READ;
      case Report shown when shown.mailTo == null -> Role.READ;
      case ListAdd added when added.list == ListKind.ALLOW -> Role.SUPPORT;
      case ListRemove removed when removed.list == ListKind.ALLOW -> Role.SUPPORT;
      case Changes _ -> Role.ADMIN;
    };
  }

  /** {@code bloomgate status}. */
  record Status() implements Asks {}

  /** {@code bloomgate health}: ready or not. */
  record Health() implements Asks {}

  /**
   * {@code bloomgate explain}: what would happen to this subject now, or what happened in an
   * incident.
   *
   * @param at asks for the lists of that time, {@code null} for those of now
   */
  record Explain(
      String subject,
      @Nullable String helo,
      @Nullable String from,
      @Nullable String ip,
      @Nullable String to,
      @Nullable String clientName,
      @Nullable Instant at)
      implements Asks {

    /** A question about now that does not say the name of the client's address. */
    public Explain(
        String subject,
        @Nullable String helo,
        @Nullable String from,
        @Nullable String ip,
        @Nullable String to) {
      this(subject, helo, from, ip, to, null, null);
    }
  }

  /**
   * {@code bloomgate explain FILE.eml}: what would happen to a mail that carries this. The gateway
   * gets no octet of the mail.
   *
   * @param keys what the mail carries, each as check, place and key with one space between them
   * @param signs that it shows, each as name, subject and what was seen
   */
  record ExplainMail(
      List<String> keys,
      List<String> signs,
      @Nullable String helo,
      @Nullable String from,
      @Nullable String ip,
      @Nullable String to,
      @Nullable String clientName)
      implements Asks {}

  /** {@code bloomgate fleet status}. */
  record FleetStatus() implements Asks {}

  /** {@code bloomgate feeds list}. */
  record FeedsList() implements Asks {}

  /** {@code bloomgate feeds show NAME}. */
  record FeedsShow(String name) implements Asks {}

  /**
   * Asks for the changes that {@code bloomgate feeds accept NAME} would make. Asked by the page:
   * the command line compares by itself, lists of any size.
   *
   * @param limit entries that are named of what comes, and of what goes
   */
  record FeedsHeldChanges(String name, long limit) implements Asks {}

  /** {@code bloomgate feeds refresh}; no names means those that are due, {@code all} every one. */
  record FeedsRefresh(List<String> names, boolean all, boolean force) implements Changes {}

  /**
   * {@code bloomgate feeds score} and {@code feeds promote}: what feeds did to the kept sessions.
   *
   * @param names feeds; none means all
   */
  record FeedsScore(Instant since, List<String> names) implements Asks {}

  /**
   * {@code bloomgate feeds promote NAME} with {@code --auto} or {@code --no-auto}, or behind {@code
   * --apply}.
   *
   * @param auto the gateway may move the feed by its evidence; false: no more, and what was moved
   *     is taken back
   * @param applied the action that the command line wrote into the settings file, which counts
   *     after a reload; then {@code auto} says nothing
   */
  record FeedsPromote(String name, boolean auto, @Nullable Action applied) implements Changes {}

  /** Adds a list of the catalogue as {@code bloomgate feeds add NAME} does; asked by the page. */
  record FeedsAdd(String name) implements Changes {}

  /** {@code bloomgate feeds enable NAME}. */
  record FeedsEnable(String name) implements Changes {}

  /** {@code bloomgate feeds disable NAME}; without a duration until enabled again. */
  record FeedsDisable(String name, @Named("for") @Nullable Duration duration) implements Changes {}

  /**
   * {@code bloomgate feeds accept NAME}: let through what is held.
   *
   * @param note only say that the alarm was seen
   */
  record FeedsAccept(String name, boolean note) implements Changes {}

  /** {@code bloomgate feeds rollback NAME}; without a number to the version before. */
  record FeedsRollback(String name, @Nullable Long to) implements Changes {
    public FeedsRollback {
      if (to != null && to < 1) {
        throw new IllegalArgumentException("`to` must be the number of a version");
      }
    }
  }

  /** A command for one of the two lists. */
  sealed interface OfList {
    /** The list that the request is about. */
    ListKind list();
  }

  /**
   * {@code bloomgate allow|block add}.
   *
   * @param incident add the subject of this incident too
   * @param fromCidr for names: only for clients inside
   * @param scope the one check to act on, {@code null} for what the kind of subject means
   * @param anyScope {@code --scope any}: the name alone overrides every check; needs force
   * @param forEver an entry that is there loses its end; not together with {@code expires}
   * @param like add the likeness of the text of this session's mail too
   * @param unused time without use after which they end; not together with {@code expires}
   */
  record ListAdd(
      ListKind list,
      List<String> subjects,
      @Nullable String incident,
      @Nullable String fromCidr,
      @Nullable Instant expires,
      @Rare String reason,
      @Nullable Check scope,
      boolean anyScope,
      boolean force,
      boolean forEver,
      @Nullable String like,
      @Nullable Duration unused)
      implements Changes, OfList {
    /** Keeps the value that an existing entry has, where this request names none. */
    public ListAdd(
        ListKind list,
        List<String> subjects,
        @Nullable String incident,
        @Nullable String from,
        @Nullable Instant end,
        String why,
        @Nullable Check scope,
        boolean any,
        boolean force) {
      this(list, subjects, incident, from, end, why, scope, any, force, false, null, null);
    }
  }

  /**
   * {@code bloomgate allow|block list} and {@code export}.
   *
   * @param match a text in subject or reason, {@code *} for any characters; empty for all
   * @param limit entries that are shown at most
   * @param unused only those that were of no use for that time, {@code null} for all
   */
  record ListShow(ListKind list, @Rare String match, long limit, @Nullable Duration unused)
      implements Asks, OfList {}

  /**
   * {@code bloomgate allow|block edit}.
   *
   * @param subjects subjects or ids
   * @param reason the new reason, {@code null} to keep the old one
   * @param expires when the entries end now, {@code null} to keep what they have
   * @param forEver they end no more; not together with {@code expires}
   * @param unused time without use after which they end from now on; not together with these
   */
  record ListEdit(
      ListKind list,
      List<String> subjects,
      @Nullable String reason,
      @Nullable Instant expires,
      boolean forEver,
      @Nullable Duration unused)
      implements Changes, OfList {}

  /**
   * {@code bloomgate audit}: who changed what, newest first.
   *
   * @param since none that is older, {@code null} for all that is kept
   * @param limit records that are shown at most
   */
  record Audit(@Nullable Instant since, long limit) implements Asks {}

  /** {@code bloomgate allow|block remove}. */
  record ListRemove(ListKind list, List<String> subjects) implements Changes, OfList {}

  /**
   * {@code bloomgate allow|block check SUBJECT}: which entries hold for this subject.
   *
   * @param subject empty when a text is asked about
   * @param like which entries hold for the text of this session's mail, {@code null} for a subject
   */
  record ListCheck(ListKind list, @Rare String subject, @Nullable String like)
      implements Asks, OfList {}

  /**
   * {@code bloomgate allow|block import FILE}: the lines of a file that the command line read.
   *
   * @param firstLine number of the first of these lines in the file, for messages; long files come
   *     in several requests
   * @param dryRun only say what would be done
   */
  record ListImport(
      ListKind list, String file, int firstLine, List<String> lines, boolean force, boolean dryRun)
      implements Changes, OfList {
    public ListImport {
      if (firstLine < 1) {
        throw new IllegalArgumentException("`first_line` must be a whole number from 1 on");
      }
    }

    /** An import that is carried out, not only tried. */
    public ListImport(
        ListKind list, String file, int firstLine, List<String> lines, boolean force) {
      this(list, file, firstLine, lines, force, false);
    }

    /** The same on trial. */
    public ListImport onTrial() {
      return new ListImport(list, file, firstLine, lines, force, true);
    }
  }

  /**
   * {@code bloomgate recipient set} and {@code import}: entries, each {@code RECIPIENT PROFILE
   * [expires=TIME] # REASON}.
   *
   * @param file that the command line read; empty for what was typed, which is taken whole or not
   * @param firstLine number of the first of these lines in the file, for messages
   */
  record RecipientSet(@Rare String file, int firstLine, List<String> lines) implements Changes {}

  /** {@code bloomgate recipient list} and {@code export}: entries, then lines of the settings. */
  record RecipientList() implements Asks {}

  /** {@code bloomgate recipient remove}, by subjects or ids. */
  record RecipientRemove(List<String> subjects) implements Changes {}

  /** {@code bloomgate recipient check RECIPIENT}: its profile, and why it has it. */
  record RecipientCheck(String recipient) implements Asks {}

  /** {@code bloomgate tail}: decisions as they happen, until the client goes. */
  record Tail(@Nullable String verdict, @Nullable String feed) implements Asks {}

  /** A question about kept sessions; the command line answers it too, from the files. */
  sealed interface OfSessions {}

  /**
   * {@code bloomgate sessions list}, newest first.
   *
   * @param client a network; {@code null} for any client, and so on
   * @param until none that is as late as this, {@code null} for all up to now
   */
  record SessionsList(
      Instant since,
      @Nullable String client,
      @Nullable String from,
      @Nullable String to,
      @Nullable String verdict,
      @Nullable String feed,
      long limit,
      @Nullable Instant until,
      @Nullable String queueId,
      @Nullable String messageId)
      implements Asks, OfSessions {

    /** Asks for sessions up to now. */
    public SessionsList(
        Instant since,
        @Nullable String client,
        @Nullable String from,
        @Nullable String to,
        @Nullable String verdict,
        @Nullable String feed,
        long limit) {
      this(since, client, from, to, verdict, feed, limit, null, null, null);
    }
  }

  /** {@code bloomgate sessions show ID}. */
  record SessionsShow(String id) implements Asks, OfSessions {}

  /**
   * {@code bloomgate top}.
   *
   * @param by what is counted, as the command line names it
   * @param limit rows that are shown at most
   */
  record SessionsTop(String by, Instant since, long limit) implements Asks, OfSessions {}

  /** {@code bloomgate top --by campaign}: the mails of which most copies came. */
  record CampaignsTop(long limit) implements Asks {}

  /** {@code bloomgate top --by spared}: senders of mail that only mode observe let pass. */
  record SparedTop(Instant since, long limit) implements Asks {}

  /**
   * {@code bloomgate stats}: sessions by hour, or by day where {@code days} is true.
   *
   * @param zone whose hours and days these are, {@code null} for UTC
   */
  record SessionsStats(Instant since, boolean days, @Nullable String zone)
      implements Asks, OfSessions {}

  /** {@code bloomgate config reload}; {@code acceptDomains}: files that lost most names too. */
  record ConfigReload(@Rare boolean acceptDomains) implements Changes {}

  /** {@code bloomgate alarms test}. */
  record AlarmsTest() implements Changes {}

  /** {@code bloomgate alarms seen}: those whose sentence is this, or begins with it, are seen. */
  record AlarmsSeen(String alarm) implements Changes {}

  /** {@code bloomgate config diff}: every setting that counts now, and where it comes from. */
  record ConfigEffective() implements Asks {}

  /** {@code bloomgate support dump}: process, memory, threads, limits and the last log lines. */
  record Support() implements Asks {}

  /** {@code bloomgate mode M}; with a duration the former mode returns after it. */
  record SetMode(Mode mode, @Named("for") @Nullable Duration duration) implements Changes {}

  /** {@code bloomgate drain}: accept no more mail and let messages in flight finish. */
  record Drain() implements Changes {}

  /** {@code bloomgate doctor}; no flag means every check. */
  record Doctor(boolean openRelay, boolean identity, boolean tls, boolean feeds) implements Asks {}

  /**
   * {@code bloomgate report}.
   *
   * @param since the begin of the time that the report is about
   * @param mailTo sends it to this address in place of an answer in that form
   * @param zone of its times, {@code null} for that of the gateway
   * @param columns of the terminal that shows the text, 0 for the usual ones
   */
  record Report(
      Instant since,
      ReportForm form,
      @Nullable String mailTo,
      @Nullable String zone,
      @Rare int columns)
      implements Changes {

    /** Asks for one in the zone of the gateway. */
    public Report(Instant since, ReportForm form, @Nullable String mailTo) {
      this(since, form, mailTo, null, 0);
    }
  }

  /**
   * {@code bloomgate report spam} and {@code report good}.
   *
   * @param id of its session; {@code null} where it is not known
   * @param keys as for {@link ExplainMail}; none for what the session kept of the mail
   */
  record SpamReport(boolean good, @Nullable String id, List<String> keys) implements Changes {}

  /** {@code bloomgate traps list}; {@code suggest} names what {@code networks} or more ask for. */
  record Traps(Instant since, long networks, long limit) implements Asks {}

  /** {@code bloomgate resume}: the end of {@link Drain}. */
  record Resume() implements Changes {}
}
