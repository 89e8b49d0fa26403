package io.bloomgate.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.control.ControlReply.Done;
import io.bloomgate.config.control.ControlReply.Failed;
import io.bloomgate.config.control.ControlReply.Item;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.control.ControlRequest.ListAdd;
import io.bloomgate.config.control.ReportForm;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.settings.Mode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Commands against a control socket: what is sent, and what is shown of the answer. */
class OnlineCommandsTest extends ScriptedAnswers {

  /** The request of a command; an underscore is a space inside of a word. */
  private ControlRequest asked(String line) throws IOException {
    String[] args = Stream.of(line.split(" ")).map(w -> w.replace('_', ' ')).toArray(String[]::new);
    Files.deleteIfExists(socket);
    try (FakeGateway gateway = FakeGateway.answering(socket, new Done(0))) {
      Shell.Result result = run(args);
      assertEquals(0, result.exitCode(), result.err());
      assertEquals(1, gateway.asked().size());
      return gateway.asked().getFirst();
    }
  }

  @Test
  void everyCommandSendsItsRequest() throws IOException {
    assertEquals(new ControlRequest.Status(), asked("status"));
    assertEquals(new ControlRequest.Health(), asked("health"));
    assertEquals(
        new ControlRequest.Explain("a@b.example", "h", "<>", "192.0.2.1", "bob@c.example"),
        asked("explain a@b.example --helo h --from <> --ip 192.0.2.1 --to bob@c.example"));
    assertEquals(new ControlRequest.FeedsList(), asked("feeds list"));
    assertEquals(new ControlRequest.FeedsShow("a"), asked("feeds show a"));
    assertEquals(
        new ControlRequest.FeedsRefresh(List.of("a", "b"), false, true),
        asked("feeds refresh a b --force"));
    assertEquals(
        new ControlRequest.FeedsRefresh(List.of(), true, false), asked("feeds refresh --all"));
    assertEquals(new ControlRequest.FeedsEnable("a"), asked("feeds enable a"));
    assertEquals(
        new ControlRequest.FeedsDisable("a", Duration.ofHours(2)),
        asked("feeds disable a --for 2h"));
    assertEquals(new ControlRequest.FeedsAccept("a", false), asked("feeds accept a"));
    assertEquals(new ControlRequest.FeedsRollback("a", null), asked("feeds rollback a"));
    assertEquals(new ControlRequest.FeedsRollback("a", 3L), asked("feeds rollback a --to 3"));
    assertEquals(
        new ControlRequest.ListShow(ListKind.BLOCK, "", Long.MAX_VALUE, null), asked("block list"));
    assertEquals(
        new ControlRequest.ListShow(ListKind.ALLOW, "", Long.MAX_VALUE, null),
        asked("allow export"));
    assertEquals(
        new ControlRequest.ListShow(ListKind.ALLOW, "*.example", 20, null),
        asked("allow list --match *.example --limit 20"));
    Instant end = Instant.parse("2031-12-01T00:00:00Z");
    assertEquals(
        new ControlRequest.ListEdit(ListKind.ALLOW, List.of("x"), null, end, false, null),
        asked("allow edit x --expires 2031-12-01"));
    assertEquals(
        new ControlRequest.ListEdit(ListKind.BLOCK, List.of("x"), "why", null, true, null),
        asked("block edit x --expires never --reason why"));
    assertEquals(
        new ControlRequest.ListEdit(
            ListKind.ALLOW, List.of("x"), null, null, false, Duration.ofDays(10)),
        asked("allow edit x --unused 10d"));
    assertEquals(new ControlRequest.Audit(null, Long.MAX_VALUE), asked("audit"));
    assertEquals(
        new ControlRequest.Audit(Instant.parse("2026-01-01T09:00:00Z"), 5),
        asked("audit --since 2026-01-01T09:00 --limit 5"));
    assertEquals(
        new ControlRequest.ListRemove(ListKind.ALLOW, List.of("x", "y")),
        asked("allow remove x y"));
    assertEquals(new ControlRequest.ListCheck(ListKind.BLOCK, "x", null), asked("block check x"));
    assertEquals(new ControlRequest.Tail("reject", "f"), asked("tail --verdict reject --feed f"));
    assertEquals(new ControlRequest.ConfigReload(false), asked("config reload"));
    assertEquals(
        new ControlRequest.Doctor(true, false, true, false), asked("doctor --open-relay --tls"));
    assertEquals(new ControlRequest.Drain(), asked("drain"));
    assertEquals(new ControlRequest.Resume(), asked("resume"));
    assertEquals(
        new ControlRequest.SetMode(Mode.OBSERVE, Duration.ofHours(1)),
        asked("mode observe --for 1h"));
  }

  @Test
  void aReportIsAskedForInItsForm() throws IOException {
    Instant begin = Instant.parse("2026-01-01T00:00:00Z");
    assertEquals(
        new ControlRequest.Report(begin, ReportForm.TEXT, null, null, 1000),
        asked("report --since 2026-01-01"));
    assertEquals(
        new ControlRequest.Report(begin, ReportForm.DATA, null),
        asked("report --since 2026-01-01 -o json"));
    assertEquals(
        new ControlRequest.Report(begin, ReportForm.HTML, null),
        asked("report --since 2026-01-01 --html -"));
    assertEquals(
        new ControlRequest.Report(begin, ReportForm.DATA, "a@b.example"),
        asked("report --since 2026-01-01 --mail-to a@b.example"));
  }

  @Test
  void hoursAndDaysAreCountedInTheZoneOfTheMachine() throws IOException {
    Instant begin = Instant.parse("2026-01-01T00:00:00Z");
    String here = ZoneId.systemDefault().getId();
    assertEquals(
        new ControlRequest.Report(begin, ReportForm.DATA, null, here, 0),
        asked("report --since 2026-01-01T00:00:00Z --local -o json"));
    assertEquals(
        new ControlRequest.SessionsStats(begin, true, here),
        asked("stats --since 2026-01-01T00:00:00Z --local"));
    assertEquals(
        new ControlRequest.SessionsStats(begin, false, null),
        asked("stats --since 2026-01-01T00:00:00Z --by hour"));
  }

  @Test
  void aReportIsPrintedOrSaved() throws IOException {
    try (FakeGateway _ =
        FakeGateway.answering(socket, item("{\"text\":\"one\\n\\u001b[2Jtwo\\n\"}"), new Done(0))) {
      assertEquals("one\n\\u001b[2Jtwo\n", run("report").out());
    }
    Files.deleteIfExists(socket);
    Path file = folder.resolve("report.html");
    try (FakeGateway _ =
        FakeGateway.answering(socket, item("{\"html\":\"<html>\\n\"}"), new Done(0))) {
      assertEquals("written to " + file + "\n", run("report", "--html", file.toString()).out());
    }
    assertEquals("<html>\n", Files.readString(file));
    assertEquals(2, run("report", "--html", "-", "--mail-to", "a@b.example").exitCode());
    assertEquals(2, run("report", "--since", "2031-01-01").exitCode());
    assertEquals(2, run("report", "--since", "tomorrow").exitCode());
  }

  @Test
  void anEditDoesNotEndAnEntryInThePast() {
    Shell.Result past = run("allow", "edit", "x.example", "--expires", "2020-01-01");
    assertEquals(2, past.exitCode());
    assertEquals(
        "bloomgate: 2020-01-01 is in the past; to end it now use: bloomgate allow remove"
            + " x.example\n",
        past.err());
  }

  @Test
  void aLimitOfZeroIsAMistakeAndNotAnEmptyList() {
    assertEquals(
        "bloomgate: --limit is below 1; give a number of entries\n",
        run("allow", "list", "--limit", "0").err());
    assertEquals(2, run("allow", "list", "--limit", "0").exitCode());
    assertEquals(
        "bloomgate: --limit is below 1; give a number of records\n",
        run("audit", "--limit", "0").err());
  }

  @Test
  void addTakesTheTimesThatEditTakes() throws IOException {
    for (String time : List.of("2031-12-01", "2031-12-01T00:00:00Z")) {
      assertEquals(
          Instant.parse("2031-12-01T00:00:00Z"),
          ((ListAdd) asked("allow add x.example --expires " + time)).expires());
    }
    ListAdd never = (ListAdd) asked("allow add x.example --expires never");
    assertNull(never.expires());
    assertTrue(never.forEver());
    assertFalse(((ListAdd) asked("allow add x.example")).forEver());
    assertEquals(
        "bloomgate: 2020-01-01 is in the past; name a time in the future\n",
        run("allow", "add", "x.example", "--expires", "2020-01-01").err());
    assertEquals(
        "bloomgate: --expires soon is not a time; write 7d, 2026-12-01 or 2026-12-01T12:00:00Z\n",
        run("block", "add", "x.example", "--expires", "soon").err());
  }

  @Test
  void addSendsEverythingThatWasSaid() throws IOException {
    assertEquals(
        new ListAdd(
            ListKind.ALLOW,
            List.of("a.example"),
            null,
            "192.0.2.0/24",
            Shell.NOW.plus(Duration.ofDays(7)),
            "new partner",
            Check.SENDER,
            false,
            false),
        asked(
            "allow add a.example --from 192.0.2.0/24 --expires 7d --reason new_partner --scope"
                + " sender"));
    assertEquals(
        new ListAdd(ListKind.BLOCK, List.of(), "7K3Q9ZT2AB", null, null, "", null, false, true),
        asked("block add --incident 7K3Q9ZT2AB --force"));
    assertEquals(
        new ListAdd(
            ListKind.BLOCK,
            List.of(),
            null,
            null,
            Shell.NOW.plus(Duration.ofDays(7)),
            "",
            null,
            false,
            false,
            false,
            "7K3Q9ZT2AB",
            null),
        asked("block add --like 7K3Q9ZT2AB --expires 7d"));
    assertEquals(
        new ListAdd(ListKind.ALLOW, List.of("x"), null, null, null, "", null, true, true),
        asked("allow add x --scope any --force"));
  }

  @Test
  void globalOptionsMayBeBeforeOrAfterTheCommand() throws IOException {
    try (FakeGateway gateway =
        FakeGateway.answering(socket, item("{\"ready\":true}"), new Done(0))) {
      String[][] forms = {
        {"--socket", socket.toString(), "-o", "json", "health"},
        {"health", "--socket=" + socket, "--output=json"},
        {"-ojson", "health", "--socket", socket.toString()}
      };
      for (String[] form : forms) {
        assertEquals(new Shell.Result(0, "{\"ready\":true}\n", ""), Shell.run(form));
      }
      assertEquals(forms.length, gateway.asked().size());
    }
  }

  @Test
  void theSocketComesFromSettingsOrEnvironmentEvenWhenTheFileIsBroken() throws IOException {
    Path settings = folder.resolve("bloomgate.yaml");
    Files.writeString(settings, "mod: loud\nadmin: {socket: s}\n");
    try (FakeGateway gateway = FakeGateway.answering(socket, new Done(0))) {
      assertEquals(0, Shell.run("-c", settings.toString(), "status").exitCode());
      assertEquals(
          0,
          Shell.run(
                  Map.of("BLOOMGATE_ADMIN__SOCKET", socket.toString()),
                  "",
                  false,
                  "-c",
                  folder.resolve("none").toString(),
                  "status")
              .exitCode());
      assertEquals(2, gateway.asked().size());
    }
  }

  /** A mode that ends at once would say that it was set. */
  @Test
  void aTimeOfNothingIsRefusedBeforeTheGatewayIsAsked() {
    for (List<String> words :
        List.of(List.of("mode", "enforce"), List.of("feeds", "disable", "drop"))) {
      List<String> asked = new ArrayList<>(words);
      asked.addAll(List.of("--for", "0s"));
      Shell.Result result = run(asked.toArray(String[]::new));
      assertEquals(2, result.exitCode(), result.err());
      assertTrue(
          result.err().contains("`0s` is no time at all; write for example 12h"), result.err());
    }
  }

  /** A name that leads to itself: not even root can read it. */
  private Path unreadable() throws IOException {
    Path settings = folder.resolve("closed.yaml");
    return Files.createSymbolicLink(settings, settings);
  }

  @Test
  void settingsThatMayNotBeReadAreNotReplacedByTheUsualSocket() throws IOException {
    Path settings = unreadable();
    Shell.Result result = Shell.run("-c", settings.toString(), "status");
    assertEquals(5, result.exitCode());
    assertTrue(result.err().contains("you may not read " + settings), result.err());
    assertTrue(result.err().contains("chgrp"), result.err());
    try (FakeGateway gateway = FakeGateway.answering(socket, new Done(0))) {
      Map<String, String> environment = Map.of("BLOOMGATE_ADMIN__SOCKET", socket.toString());
      assertEquals(
          0, Shell.run(environment, "", false, "-c", settings.toString(), "status").exitCode());
      assertEquals(0, run("-c", settings.toString(), "status").exitCode());
      assertEquals(2, gateway.asked().size());
    }
  }

  @Test
  void aModeThatTheSettingsDoNotSayIsForgottenAtARestartAndThatIsSaid() throws IOException {
    Path settings = folder.resolve("bloomgate.yaml");
    Files.writeString(settings, "admin: {socket: s}\n");
    Item answer = item("{\"mode\":\"enforce\",\"configured\":\"observe\"}");
    try (FakeGateway gateway = FakeGateway.answering(socket, answer, new Done(0))) {
      Shell.Result result = Shell.run("-c", settings.toString(), "mode", "enforce");
      String all = result.out() + result.err();
      assertTrue(
          all.contains(
              "until the next restart; write `mode: enforce` into " + settings + " to keep it"),
          all);
      Shell.Result trial = Shell.run("-c", settings.toString(), "mode", "enforce", "--for", "1h");
      assertEquals("", trial.err());
      assertEquals(2, gateway.asked().size());
    }
  }

  @Test
  void noGatewayIsExitThreeAndOneLineWithTheSocket() {
    Shell.Result result = run("status");
    assertEquals(3, result.exitCode());
    assertEquals(
        "bloomgate: no gateway answers at "
            + socket
            + "; start it with `systemctl start bloomgate` (`bloomgate run` where no unit is"
            + " installed), or name its socket with --socket\n",
        result.err());
    assertEquals("", result.out());
  }

  @Test
  void aSilentGatewayIsGivenUp() throws IOException {
    try (FakeGateway gateway = FakeGateway.answering(socket)) {
      Shell.Result result = run("status", "--timeout", "1s");
      assertEquals(3, result.exitCode());
      assertTrue(result.err().contains("said nothing for 1 s"), result.err());
      assertEquals(1, gateway.asked().size());
    }
  }

  @Test
  void aGatewayThatHangsUpOrTalksNonsenseIsNoAnswer() throws IOException {
    try (FakeGateway gateway = FakeGateway.raw(socket, "{\"item\":{\"a\":1}}")) {
      Shell.Result result = run("status");
      assertEquals(3, result.exitCode());
      assertTrue(result.err().contains("ended the conversation early"), result.err());
      assertEquals(1, gateway.asked().size());
    }
    Files.delete(socket);
    try (FakeGateway gateway = FakeGateway.raw(socket, "220 mx ESMTP")) {
      Shell.Result result = run("status");
      assertEquals(3, result.exitCode());
      assertTrue(result.err().contains("not a gateway of this version"), result.err());
      assertEquals(1, gateway.asked().size());
    }
  }

  @Test
  void theGatewaysNoIsPassedOn() throws IOException {
    try (FakeGateway gateway =
        FakeGateway.answering(socket, new Failed(2, "too wide\u001b[0m", "use --force"))) {
      Shell.Result result = run("allow", "add", "0.0.0.0/0");
      assertEquals(2, result.exitCode());
      assertEquals("bloomgate: too wide\\u001b[0m; use --force\n", result.err());
      assertEquals(1, gateway.asked().size());
    }
  }
}
