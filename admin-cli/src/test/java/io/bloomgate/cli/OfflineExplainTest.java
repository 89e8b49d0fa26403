package io.bloomgate.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.database.FeedStates;
import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.operator.ListFiles;
import io.bloomgate.blocklists.operator.NewEntry;
import io.bloomgate.blocklists.operator.OperatorLists;
import io.bloomgate.blocklists.operator.WidthRules;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.name.Subject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code explain} from the files that a gateway left behind. */
class OfflineExplainTest extends OfflineState {

  @BeforeEach
  void leaveStateBehind() throws Exception {
    leave(
        "feeds: {sources: {drop: {file: drop.txt, action: reject}}}\n",
        "drop",
        new ListEntry.Network(
            IpPrefix.parse("203.0.113.0/24").toOptional().orElseThrow(), false, 17));
    allow(folder.resolve("state"), "203.0.113.9");
  }

  /** Writes an allow entry as a gateway would. */
  static void allow(Path state, String subject) throws Exception {
    WidthRules widths = new WidthRules(List.of(), List.of(), name -> false);
    try (OperatorLists lists =
        OperatorLists.open(
            state.resolve(OperatorLists.FILE_NAME),
            new ListFiles(List.of(), List.of(), widths, CLOCK),
            CLOCK)) {
      var stored =
          lists.add(
              List.of(
                  NewEntry.of(
                      ListKind.ALLOW,
                      Subject.parse(subject).toOptional().orElseThrow(),
                      "partner")),
              new OperatorLists.Origin("root", "allow add"));
      assertEquals(1, stored.size());
    }
  }

  @Test
  void aListedClientIsRefusedWithItsProofAndItsUndo() {
    Shell.Result result = explain("203.0.113.7").exits(1);
    assertEquals(
        """
        203.0.113.7 would be REFUSED at RCPT   mode enforce, offline, generation 1
          listed   drop  203.0.113.0/24  line 17  client_ip  at least since 2026-11-21  action reject
          bloom    ip hit, confirmed by the exact index
          allow    none
          undo     bloomgate allow add 203.0.113.7 --scope client_ip --expires 7d --reason "..." -c FILE
          wider    bloomgate allow add 203.0.113.7 --expires 7d --reason "..." -c FILE
                     lifts every listing of mail from 203.0.113.7
        """,
        result.out().replace(settings, "FILE"));
    assertTrue(result.err().startsWith("warning: offline"), result.err());
  }

  /** The first address of it is on no list. */
  @Test
  void aWideNetworkIsAnsweredByWhatLiesInIt() {
    explain("0.0.0.0/0")
        .exits(0)
        .answers(
            """
            0.0.0.0/0 is listed in part, see range; nothing refuses all of it   mode enforce, offline, generation 1
              range    1 entry of feeds inside (drop 1), first 203.0.113.0/24; 0 around all of it
              allow    none
            """);
  }

  @Test
  void anAllowedClientPassesAndTheEntryIsNamed() {
    explain("203.0.113.9", "-o", "json")
        .ends(
            0,
            "\"verdict\":\"accept\"",
            "\"entry\":\"203.0.113.9\"",
            "\"generation\":1,\"offline\":true");
  }

  private void disable(String until) throws IOException {
    try (FeedStates states = FeedStates.open(folder.resolve("state"), _ -> {})) {
      states.put(
          "drop",
          FeedStates.Part.RECORD,
          JsonValue.object().put("disabled", true).put("disabled_until", until).build());
    }
  }

  @Test
  void aFeedThatIsSwitchedOffDoesNotCountOfflineEither() throws IOException {
    disable("2026-11-21T07:41:00Z");
    explain("203.0.113.7").exits(0);
    disable("2026-11-21T07:39:00Z");
    explain("203.0.113.7").exits(1);
  }

  @Test
  void whatIsNotKnownOfAFeedIsSaid() throws Exception {
    assertFalse(explain("203.0.113.7").err().contains("nobody knows"));
    disable("2026-11-21T07:39:00Z");
    try (Connection connection =
            DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("state/feeds.db"));
        Statement statement = connection.createStatement()) {
      statement.execute("UPDATE feed SET record = '{\"disabled\":tr'");
    }
    explain("203.0.113.7")
        .fails(
            1,
            "\nwarning: feed drop: ",
            "feeds.db is damaged: the record of feed drop, so nobody knows");
  }

  @Test
  void listFilesCountBeforeAnyGatewayHasRun() throws IOException {
    Files.delete(folder.resolve("state").resolve(OperatorLists.FILE_NAME));
    Files.writeString(folder.resolve("mine.list"), "198.51.100.7 # mine\n");
    Files.writeString(
        Path.of(settings), Files.readString(Path.of(settings)) + "block: {files: [mine.list]}\n");
    explain("198.51.100.7").ends(1, "operator  198.51.100.7");
  }

  @Test
  void everyMailServerIsProtectedOfflineToo() throws IOException {
    Files.writeString(
        Path.of(settings),
        Files.readString(Path.of(settings))
            .replace("{host: 192.0.2.25}", "{host: 192.0.2.25, backups: [\"203.0.113.25:25\"]}"));
    explain("203.0.113.25").ends(0, "never_block: downstream");
    assertEquals(1, explain("203.0.113.7").exitCode(), "beside it in the listed network");
  }

  /** A leading dot means the name and what is below it, offline as in sessions. */
  @Test
  void aDomainWithALeadingDotIsOursItself() throws IOException {
    Path file = Path.of(settings);
    Files.writeString(
        file, Files.readString(file).replace("domains: [example.com]", "domains: [.example.com]"));
    for (String to : List.of("postmaster@example.com", "postmaster@a.example.com")) {
      explain("203.0.113.7", "--to", to).exits(0);
    }
    explain("203.0.113.7", "--to", "postmaster@example.org").exits(1);
  }

  /** Only where nobody listens: a gateway in trouble may know more than the files. */
  @Test
  void theFilesAnswerWhereNoGatewayDoes() throws IOException {
    String socket = folder.resolve("control").toString();
    String[] asked = {"-c", settings, "--socket", socket, "explain", "203.0.113.7"};
    Shell.run(asked).fails(1, "answering from the files");
    try (FakeGateway hangsUp = FakeGateway.raw(Path.of(socket))) {
      Shell.run(asked).exits(3).printsNothing();
      assertEquals(1, hangsUp.asked().size());
    }
  }

  @Test
  void damagedListsAreNotTakenForEmptyOnes() throws IOException {
    try (var files = Files.walk(folder.resolve("state/snapshots"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.writeString(file, "garbage");
      }
    }
    explain("203.0.113.7").fails(1, "cannot be read").printsNothing();
  }
}
