package io.bloomgate.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.config.control.ControlCodec;
import io.bloomgate.config.control.ControlReply.Done;
import io.bloomgate.config.control.ControlReply.Failed;
import io.bloomgate.config.control.ControlReply.Item;
import io.bloomgate.config.control.ControlRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Commands against a control socket: what is sent, and what is shown of the answer. */
class OnlineCommandsTest extends ScriptedAnswers {

  /** The request of a command; an underscore is a space inside of a word. */
  private ControlRequest asked(String line) throws IOException {
    String[] args = Stream.of(line.split(" ")).map(w -> w.replace('_', ' ')).toArray(String[]::new);
    Files.deleteIfExists(socket);
    try (FakeGateway gateway = FakeGateway.answering(socket, new Done(0))) {
      run(args).exits(0);
      assertEquals(1, gateway.asked().size());
      return gateway.asked().getFirst();
    }
  }

  /** What the golden outputs do not show; without members that are null or false. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          explain a@b.example --helo h --from <> --ip 192.0.2.1 --to bob@c.example | {"command":"explain","subject":"a@b.example","helo":"h","from":"<>","ip":"192.0.2.1","to":"bob@c.example"}
          feeds refresh a b --force | {"command":"feeds.refresh","names":["a","b"],"force":true}
          feeds refresh --all | {"command":"feeds.refresh","names":[],"all":true}
          feeds accept a | {"command":"feeds.accept","name":"a"}
          feeds rollback a | {"command":"feeds.rollback","name":"a"}
          feeds rollback a --to 3 | {"command":"feeds.rollback","name":"a","to":3}
          allow list --match *.example --limit 20 | {"command":"allow.list","match":"*.example","limit":20}
          allow edit x --expires 2031-12-01 | {"command":"allow.edit","subjects":["x"],"expires":"2031-12-01T00:00:00Z"}
          block edit x --expires never --reason why | {"command":"block.edit","subjects":["x"],"reason":"why","for_ever":true}
          allow edit x --unused 10d | {"command":"allow.edit","subjects":["x"],"unused":"10d"}
          audit --since 2026-01-01T09:00 --limit 5 | {"command":"audit","since":"2026-01-01T09:00:00Z","limit":5}
          tail --verdict reject --feed f | {"command":"tail","verdict":"reject","feed":"f"}
          doctor --open-relay --tls | {"command":"doctor","open_relay":true,"tls":true}
          report --since 2026-01-01 | {"command":"report","since":"2026-01-01T00:00:00Z","form":"text","columns":1000}
          report --since 2026-01-01 -o json | {"command":"report","since":"2026-01-01T00:00:00Z","form":"data"}
          report --since 2026-01-01 --html - | {"command":"report","since":"2026-01-01T00:00:00Z","form":"html"}
          report --since 2026-01-01 --mail-to a@b.example | {"command":"report","since":"2026-01-01T00:00:00Z","form":"data","mail_to":"a@b.example"}
          report --since 2026-01-01T00:00:00Z --local -o json | {"command":"report","since":"2026-01-01T00:00:00Z","form":"data","zone":"ZONE"}
          stats --since 2026-01-01T00:00:00Z --local | {"command":"sessions.stats","since":"2026-01-01T00:00:00Z","days":true,"zone":"ZONE"}
          stats --since 2026-01-01 --by hour | {"command":"sessions.stats","since":"2026-01-01T00:00:00Z"}
          allow add a.example --from 192.0.2.0/24 --expires 7d --reason new_partner --scope sender | {"command":"allow.add","subjects":["a.example"],"from_cidr":"192.0.2.0/24","expires":"2026-11-28T07:40:00Z","reason":"new partner","scope":"sender"}
          block add --incident 7K3Q9ZT2AB --force | {"command":"block.add","subjects":[],"incident":"7K3Q9ZT2AB","force":true}
          block add --like 7K3Q9ZT2AB --expires 7d | {"command":"block.add","subjects":[],"expires":"2026-11-28T07:40:00Z","like":"7K3Q9ZT2AB"}
          allow add x --scope any --force | {"command":"allow.add","subjects":["x"],"any_scope":true,"force":true}
          allow add x.example --expires 2031-12-01 | {"command":"allow.add","subjects":["x.example"],"expires":"2031-12-01T00:00:00Z"}
          allow add x.example --expires 2031-12-01T00:00:00Z | {"command":"allow.add","subjects":["x.example"],"expires":"2031-12-01T00:00:00Z"}
          allow add x.example --expires never | {"command":"allow.add","subjects":["x.example"],"for_ever":true}
          allow add x.example | {"command":"allow.add","subjects":["x.example"]}
          """)
  void everyOptionIsInTheRequest(String line, String request) throws IOException {
    String zone = ZoneId.systemDefault().getId();
    assertEquals(
        request.replace("ZONE", zone),
        ControlCodec.encode(asked(line)).replaceAll(",\"\\w+\":(null|false)(?=[,}])", ""));
  }

  @Test
  void aTimeOfAnEntryIsLaterAndIsATime() {
    run("allow", "add", "x.example", "--expires", "2020-01-01")
        .fails(2, "bloomgate: 2020-01-01 is in the past; name a time in the future\n");
    run("block", "add", "x.example", "--expires", "soon")
        .fails(2, "--expires soon is not a time; write 7d, 2026-12-01 or 2026-12-01T12:00:00Z\n");
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
    run("report", "--html", "-", "--mail-to", "a@b.example").exits(2);
    run("report", "--since", "2031-01-01").exits(2);
    run("report", "--since", "tomorrow").exits(2);
  }

  @Test
  void anEditDoesNotEndAnEntryInThePast() {
    Shell.Result past = run("allow", "edit", "x.example", "--expires", "2020-01-01").exits(2);
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
    run("allow", "list", "--limit", "0").exits(2);
    assertEquals(
        "bloomgate: --limit is below 1; give a number of records\n",
        run("audit", "--limit", "0").err());
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
      Shell.run("-c", settings.toString(), "status").exits(0);
      Shell.run(
              Map.of("BLOOMGATE_ADMIN__SOCKET", socket.toString()),
              "",
              false,
              "-c",
              folder.resolve("none").toString(),
              "status")
          .exits(0);
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
      run(asked.toArray(String[]::new)).fails(2, "`0s` is no time at all; write for example 12h");
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
    Shell.run("-c", settings.toString(), "status")
        .fails(5, "you may not read " + settings, "chgrp");
    try (FakeGateway gateway = FakeGateway.answering(socket, new Done(0))) {
      Map<String, String> environment = Map.of("BLOOMGATE_ADMIN__SOCKET", socket.toString());
      Shell.run(environment, "", false, "-c", settings.toString(), "status").exits(0);
      run("-c", settings.toString(), "status").exits(0);
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
      Shell.assertHas(
          all, "until the next restart; write `mode: enforce` into " + settings + " to keep it");
      Shell.run("-c", settings.toString(), "mode", "enforce", "--for", "1h").isSilent();
      assertEquals(2, gateway.asked().size());
    }
  }

  @Test
  void noGatewayIsExitThreeAndOneLineWithTheSocket() {
    Shell.Result result = run("status").exits(3);
    assertEquals(
        "bloomgate: no gateway answers at "
            + socket
            + "; start it with `systemctl start bloomgate` (`bloomgate run` where no unit is"
            + " installed), or name its socket with --socket\n",
        result.err());
    result.printsNothing();
  }

  @Test
  void aSilentGatewayIsGivenUp() throws IOException {
    try (FakeGateway gateway = FakeGateway.answering(socket)) {
      run("status", "--timeout", "1s").fails(3, "said nothing for 1 s");
      assertEquals(1, gateway.asked().size());
    }
  }

  @Test
  void aGatewayThatHangsUpOrTalksNonsenseIsNoAnswer() throws IOException {
    try (FakeGateway gateway = FakeGateway.raw(socket, "{\"item\":{\"a\":1}}")) {
      run("status").fails(3, "ended the conversation early");
      assertEquals(1, gateway.asked().size());
    }
    Files.delete(socket);
    try (FakeGateway gateway = FakeGateway.raw(socket, "220 mx ESMTP")) {
      run("status").fails(3, "not a gateway of this version");
      assertEquals(1, gateway.asked().size());
    }
  }

  @Test
  void theGatewaysNoIsPassedOn() throws IOException {
    try (FakeGateway gateway =
        FakeGateway.answering(socket, new Failed(2, "too wide\u001b[0m", "use --force"))) {
      Shell.Result result = run("allow", "add", "0.0.0.0/0").exits(2);
      assertEquals("bloomgate: too wide\\u001b[0m; use --force\n", result.err());
      assertEquals(1, gateway.asked().size());
    }
  }
}
