package io.bloomgate.gateway.admin;

import static io.bloomgate.gateway.testkit.Texts.assertHas;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.content.ContentKey;
import io.bloomgate.blocklists.decision.Ground.Weakness;
import io.bloomgate.blocklists.operator.ListFiles;
import io.bloomgate.blocklists.operator.NewEntry;
import io.bloomgate.blocklists.operator.OperatorLists;
import io.bloomgate.blocklists.operator.OperatorLists.Origin;
import io.bloomgate.blocklists.operator.WidthRules;
import io.bloomgate.blocklists.sessions.Evidence;
import io.bloomgate.blocklists.sessions.Outcome;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.settings.Action;
import io.bloomgate.gateway.admin.ReplySender.RefusedException;
import io.bloomgate.gateway.smtp.Replies;
import io.bloomgate.gateway.testkit.KeptSession;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code allow add --incident} says of a mail that an own block entry refused. */
final class IncidentLiftTest {

  private static final InstantSource CLOCK = InstantSource.fixed(Instant.EPOCH);

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "BODY; b12, 60 of 64; : b12 (a text like that of this mail); bloomgate block"
            + " remove b12",
        "HELO; other.example; : other.example; bloomgate block check other.example",
        "SENDER; *@own.example; ''; bloomgate block list",
      })
  void anEntryThatIsNotFoundIsNamedByWhatTheSessionKept(
      Check check, String kept, String entry, String command) throws Exception {
    RefusedException refused = refused(check, kept);
    assertEquals(
        "a block entry refused session 7K3Q9ZT2AB"
            + entry
            + ", and to allow the client does not lift it",
        refused.reason());
    assertTrue(refused.hint().startsWith("`" + command + "` "), refused.hint());
  }

  @Test
  void aStoredEntryIsNamedByIdAndSubject() throws Exception {
    RefusedException refused = refused(Check.HELO, "own.example");
    assertHas(refused.reason(), "7K3Q9ZT2AB: b1 (own.example), and to allow");
    assertEquals("`bloomgate block remove b1` removes it", refused.hint());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "PROTOCOL; 454 4.7.1 <a@other.example>: Relay access denied; `domains` in the settings did"
            + " not name other.example then; if its mail is yours, add it there and run `bloomgate"
            + " config reload`",
        "PROTOCOL; 554 5.7.1 <a@other.example>: Relay access denied; `domains` in the settings did"
            + " not name other.example then; if its mail is yours, add it there and run `bloomgate"
            + " config reload`",
        "TURNED_AWAY; '421 4.3.2 Shutting down; try again later'; the gateway was stopping; the"
            + " sender tries again",
        "UPSTREAM_FAILED; 451 4.4.1 No answer from mail server; the mail server could not be used;"
            + " `bloomgate doctor`",
        "UPSTREAM_REFUSED; 452 4.2.2 Mailbox full; the mail server gave this answer; its log",
        "TURNED_AWAY; 421 4.7.0 Too many errors; the answer names the limit;",
      })
  void anEntryForTheClientIsNotAddedWhereNoListRefused(
      Outcome outcome, String reply, String cause, @Nullable String hint) throws Exception {
    RefusedException refused = refused(unlisted(outcome, reply));
    assertEquals("no list refused session 7K3Q9ZT2AB: the answer was " + reply, refused.reason());
    String expected = "an allow entry lifts listings only; " + cause;
    assertTrue(
        refused.hint().startsWith(expected + (hint == null ? "" : "; " + hint)), refused.hint());
  }

  /** Rates spare the allowed. */
  @Test
  void aClientThatSentTooMuchCanBeAllowed() throws Exception {
    try (OperatorLists lists = lists()) {
      IncidentLift.check(
          unlisted(Outcome.PROTOCOL, Replies.TOO_MUCH_FROM_CLIENT.toString()),
          Optional.empty(),
          lists);
    }
  }

  private RefusedException refused(Check check, String kept) throws Exception {
    return refused(session(check, kept));
  }

  private OperatorLists lists() throws Exception {
    return OperatorLists.open(
        folder.resolve("operator.db"),
        new ListFiles(
            List.of(), List.of(), new WidthRules(List.of(), List.of(), _ -> false), CLOCK),
        CLOCK);
  }

  private RefusedException refused(Evidence session) throws Exception {
    try (OperatorLists lists = lists()) {
      DomainName own = DomainName.parse("own.example").toOptional().orElseThrow();
      lists.add(
          List.of(NewEntry.of(ListKind.BLOCK, own, "a test")), new Origin("alice", "block add"));
      return assertThrows(
          RefusedException.class, () -> IncidentLift.check(session, Optional.empty(), lists));
    }
  }

  private static Evidence session(Check check, String kept) {
    Evidence.Listing listing =
        new Evidence.Listing(
            check,
            kept,
            "operator",
            kept,
            0,
            Action.REJECT,
            "",
            ContentKey.Place.OPEN,
            Weakness.NONE,
            kept.startsWith("*"));
    return session(
        Outcome.REFUSED, "alice@company.example", "reject", List.of(listing), "554 5.7.1 no");
  }

  private static Evidence unlisted(Outcome outcome, String reply) {
    return session(outcome, "a@other.example", "", List.of(), reply);
  }

  private static Evidence session(
      Outcome outcome, String to, String verdict, List<Evidence.Listing> listings, String reply) {
    return new KeptSession()
        .answer(outcome, reply)
        .to(to)
        .verdict(verdict)
        .listings(listings)
        .evidence();
  }
}
