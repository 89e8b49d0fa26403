package io.bloomgate.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.control.ControlReply;
import io.bloomgate.config.control.ControlReply.Done;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.Json;
import io.bloomgate.config.json.JsonValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One answer in the forms that people and scripts ask for. */
class AnswerFormsTest extends ScriptedAnswers {

  @Test
  void rawIsTheDocumentedColumnsOrThoseThatAreNamed() throws IOException {
    ControlReply[] answer =
        replies(item("{\"reason\":null,\"ready\":true,\"a\":{\"b\":7}}"), new Done(0));
    assertEquals("true\t\t\t\t\t\n", answered(answer, "health", "-o", "raw").out());
    assertEquals("7\t\ttrue\n", answered(answer, "health", "--fields", "a.b,no,ready").out());
    Shell.run("health", "--fields", "a", "-o", "json").exits(2);
  }

  @Test
  void aFeedThatIsAddedIsInForceAndTestedByTheGateway() throws IOException {
    Path file = folder.resolve("b.yaml");
    Files.writeString(file, "domains: [company.example]\ndownstream: {host: 192.0.2.25}\n");
    ControlReply[] answer =
        replies(item("{\"feed\":\"mine\",\"state\":\"fresh\",\"entries\":2}"), new Done(0));
    String[] add = {"feeds", "add", "mine", "--url", "https://lists.example/a", "--every", "2h"};
    List<String> words = new ArrayList<>(List.of(add));
    words.addAll(List.of("--check", "client_ip", "-c", file.toString()));
    try (FakeGateway gateway = FakeGateway.answering(socket, answer)) {
      assertEquals(
          "mine is added\nmine  fresh  2 entries\n", run(words.toArray(String[]::new)).out());
      assertEquals(
          List.of(
              new ControlRequest.ConfigReload(false),
              new ControlRequest.FeedsRefresh(List.of("mine"), false, false)),
          gateway.asked());
      assertTrue(Files.readString(file).contains("every: 2h"), Files.readString(file));
      List<String> json = new ArrayList<>(words);
      json.set(2, "other");
      json.addAll(List.of("-o", "json"));
      assertEquals(2, run(json.toArray(String[]::new)).out().lines().count(), "file and feed");
      run("feeds", "add", "z", "--dns", "bl.example", "--no-reload", "-c", file.toString())
          .prints("config reload");
      assertTrue(Files.readString(file).contains("dns: \"bl.example\""), Files.readString(file));
      assertEquals(4, gateway.asked().size());
    }
  }

  @Test
  void timesAreInTheZoneOfTheMachineWhereThatIsAskedFor() throws IOException {
    ControlReply[] answer =
        replies(item("{\"time\":\"2026-11-21T07:39:01.5Z\",\"id\":\"7K3Q9ZT2AB\"}"), new Done(0));
    String local =
        Instant.parse("2026-11-21T07:39:01Z")
            .atZone(ZoneId.systemDefault())
            .format(DateTimeFormatter.ISO_OFFSET_DATE_TIME);
    String row = answered(answer, "sessions", "list", "--local").out().lines().toList().getLast();
    assertTrue(row.startsWith(local + "  7K3Q9ZT2AB"), row);
    assertTrue(
        answered(answer, "sessions", "list", "--local", "-o", "json")
            .out()
            .contains("07:39:01.5Z"));
  }

  /** A sender chooses the text in front of the at sign. */
  @Test
  void aTextThatOnlyLooksLikeATimeIsShownAsItIs() throws IOException {
    String sender = "2026-99-99T99:99:99Z@mail.example";
    ControlReply[] answer =
        replies(item("{\"id\":\"7K3Q9ZT2AB\",\"from\":\"" + sender + "\"}"), new Done(0));
    Shell.Result shown = answered(answer, "sessions", "list", "--local").exits(0);
    assertTrue(shown.out().replaceAll("\\s", "").contains("2026-99-99T99:99:99Z"), shown.out());
  }

  /** A backslash at the end of a line is two characters inside of quotes. */
  @Test
  void aCommandIsNotBrokenInsideOfAQuotedWord() throws IOException {
    String sender =
        "'\"it'\\''s a name of many words between its quotes, as few are\"@junk.example'";
    String undo = "bloomgate allow add " + sender + " --scope sender --from 192.0.2.7";
    String answer =
        Json.write(
            JsonValue.object()
                .put("kind", "address")
                .put("verdict", "reject")
                .put("undo", undo)
                .build());
    String[] command = {"explain", "7K3Q9ZT2AB", "--socket", socket.toString()};
    String out;
    try (FakeGateway gateway = FakeGateway.answering(socket, replies(item(answer), new Done(0)))) {
      out = Shell.run(Map.of("COLUMNS", "60"), "", false, command).out();
      assertEquals(1, gateway.asked().size());
    }
    Shell.assertHas(out, sender, " \\\n");
  }

  /** The answers with the longest lines; without {@code COLUMNS} a terminal has 100. */
  @ParameterizedTest
  @CsvSource({
    "explain 203.0.113.7, 60",
    "status, 60",
    "doctor, 60",
    "sessions list, 100",
    "fleet status, 100"
  })
  void humanOutputFitsTheTerminal(String command, int columns) throws IOException {
    String answer =
        switch (command) {
          case "status" ->
              """
              {"mode":"observe","generation":412,"ready":true,"alarms":["the list drop was refused \
              because it is three times as large as before, so the last good version stays"]}\
              """;
          case "sessions list" ->
              """
              {"id":"7K3Q9ZT2AB","time":"2026-11-21T07:39:01Z","client_ip":"2001:db8:1:2:3:4:5:6",\
              "from":"a-long-name@mail.partner.example","to":"bob@example.com","verdict":"reject",\
              "mode":"observe","refused_too":true,"outcome":"upstream_refused",\
              "listing":{"feed":"own-memory-networks"}}\
              """;
          case "fleet status" ->
              """
              {"node":"mail-gateway-1.datacentre.example","self":true,"connected":false,\
              "at":"2026-11-21T07:39:01Z","mode":"enforce","leader":true,"generation":1234567,\
              "place":"1764548445123-0","lag_ms":12345,"waiting":1000,"version":"0.1.0-SNAPSHOT"}\
              """;
          case "doctor" ->
              """
              {"state":"warn","check":"identity","where":"192.0.2.25:25","what":"the mail server \
              takes every mail for one of this gateway","mend":"let it accept XCLIENT from here"}\
              """;
          default -> AnswerTextTest.EXPLANATION;
        };
    Files.deleteIfExists(socket);
    List<String> words = new ArrayList<>(List.of(command.split(" ")));
    words.addAll(List.of("--socket", socket.toString()));
    try (FakeGateway gateway = FakeGateway.answering(socket, replies(item(answer), new Done(0)))) {
      String out =
          Shell.run(
                  Map.of("COLUMNS", columns == 100 ? "" : "60"),
                  "",
                  false,
                  words.toArray(String[]::new))
              .out();
      assertEquals(1, gateway.asked().size());
      assertFalse(out.isEmpty());
      for (String line : out.replace(socket.toString(), "SOCKET").lines().toList()) {
        assertTrue(line.length() <= columns, out);
      }
    }
  }
}
