package io.bloomgate.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.blocklists.decision.Stage;
import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.entry.ListEntry.NameMatch;
import io.bloomgate.blocklists.generation.BuildOptions;
import io.bloomgate.blocklists.generation.FeedInput;
import io.bloomgate.blocklists.generation.SnapshotBuildException;
import io.bloomgate.blocklists.generation.SnapshotBuilder;
import io.bloomgate.blocklists.generation.SnapshotStore;
import io.bloomgate.blocklists.operator.ListFiles;
import io.bloomgate.blocklists.operator.NewEntry;
import io.bloomgate.blocklists.operator.OperatorLists;
import io.bloomgate.blocklists.operator.OperatorListsException;
import io.bloomgate.blocklists.operator.WidthRules;
import io.bloomgate.blocklists.senders.KnownSenders;
import io.bloomgate.blocklists.sessions.DayWriter;
import io.bloomgate.blocklists.sessions.Evidence;
import io.bloomgate.blocklists.sessions.Outcome;
import io.bloomgate.blocklists.sessions.RareFacts;
import io.bloomgate.blocklists.sessions.SessionDays;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.name.Subject;
import io.bloomgate.config.name.WebUrl;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.Mode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** What a gateway leaves behind in its state directory. */
public final class LeftState {

  private static final InstantSource CLOCK = InstantSource.fixed(Shell.NOW);

  private LeftState() {}

  /** A generation with these feeds, each a name and its entries. */
  public static void lists(Path state, List<List<String>> feeds) throws IOException {
    List<FeedInput> inputs = new ArrayList<>();
    for (List<String> feed : feeds) {
      List<ListEntry> entries = new ArrayList<>();
      feed.subList(1, feed.size()).forEach(text -> entries.add(entry(text, entries.size() + 1)));
      inputs.add(new FeedInput(feed.getFirst(), "1", entries::forEach));
    }
    try (SnapshotStore store =
        SnapshotStore.open(
            state.resolve("snapshots"), new SnapshotBuilder(new Random(1)), CLOCK, alarm -> {})) {
      assertEquals(1, store.build(inputs, new BuildOptions(0.001, 1 << 20, 3)).generation());
    } catch (SnapshotBuildException e) {
      throw new IOException(e);
    }
  }

  private static ListEntry entry(String text, int line) {
    if (text.startsWith("http")) {
      return new ListEntry.Url(WebUrl.parse(text).toOptional().orElseThrow(), false, line);
    }
    if (text.startsWith("*.")) {
      return new ListEntry.Domain(name(text.substring(2)), NameMatch.BELOW, false, line);
    }
    return Character.isDigit(text.charAt(0))
        ? new ListEntry.Network(IpPrefix.parse(text).toOptional().orElseThrow(), false, line)
        : new ListEntry.Domain(name(text), NameMatch.SUFFIX, false, line);
  }

  private static DomainName name(String text) {
    return DomainName.parse(text).toOptional().orElseThrow();
  }

  /** An entry as {@code allow add} writes it. */
  static void allow(Path state, String subject) throws IOException {
    WidthRules widths = new WidthRules(List.of(), List.of(), name -> false);
    try (OperatorLists lists =
        OperatorLists.open(
            state.resolve(OperatorLists.FILE_NAME),
            new ListFiles(List.of(), List.of(), widths, CLOCK),
            CLOCK)) {
      Subject allowed = Subject.parse(subject).toOptional().orElseThrow();
      lists.add(
          List.of(NewEntry.of(ListKind.ALLOW, allowed, "partner")),
          new OperatorLists.Origin("root", "allow add"));
    } catch (OperatorListsException e) {
      throw new IOException(e);
    }
  }

  /** Mail of this client and sender was accepted then. */
  static void known(Path state, String client, String sender, Instant then) throws IOException {
    KnownSenders senders = KnownSenders.open(state.resolve(KnownSenders.FILE_NAME), alarm -> {});
    senders.accepted(IpAddress.parse(client).toOptional().orElseThrow(), sender, then);
    senders.save();
  }

  /** A session that was kept: refused, delivered, or noted by mode observe and delivered. */
  static void kept(Path state, Instant then, String id, List<String> said) throws IOException {
    boolean refused = said.getLast().equals("refused");
    boolean listed = !said.getLast().equals("delivered");
    Evidence.Listing drop =
        new Evidence.Listing(
            Check.CLIENT_IP, said.getFirst(), "drop", "203.0.113.0/24", 17, Action.REJECT, "");
    Evidence.Decision decision =
        new Evidence.Decision(
            id,
            Stage.RCPT,
            refused ? Mode.ENFORCE : Mode.OBSERVE,
            refused ? Outcome.REFUSED : Outcome.DELIVERED,
            said.get(2),
            listed ? "reject" : "accept",
            412,
            listed ? List.of(drop) : List.of(),
            refused ? "554 5.7.1 Refused" : "250 2.0.0 Ok");
    SessionDays days = new SessionDays(state);
    days.create();
    LocalDate day = LocalDate.ofInstant(then, ZoneOffset.UTC);
    try (DayWriter writer = DayWriter.open(days.day(day, 1).file(), day)) {
      writer.add(
          new Evidence(
              then,
              IpAddress.parse(said.getFirst()).toOptional().orElseThrow(),
              "",
              said.get(1),
              List.of("example.com"),
              1,
              "ESMTP",
              "mx",
              decision,
              0,
              Duration.ofMillis(12),
              1,
              RareFacts.NOTHING),
          null);
      writer.commit();
    }
  }
}
