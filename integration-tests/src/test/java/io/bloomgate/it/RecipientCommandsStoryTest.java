package io.bloomgate.it;

import static io.bloomgate.gateway.testkit.SmtpClient.expect;
import static io.bloomgate.it.PageFixture.bearer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.cli.CommandLineInProcess;
import io.bloomgate.config.control.ControlClient.Answer;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.gateway.testkit.ScriptedUpstream;
import io.bloomgate.gateway.testkit.SmtpClient;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Profiles of recipients by command: what the next RCPT hears, and who finds out why. */
class RecipientCommandsStoryTest {

  private static final String LISTED = "203.0.113.7";
  private static final String PROFILES = "{tag-only: {most: tag}}";

  @TempDir Path folder;

  private static ControlRequest set(String subject, String profile) {
    return new ControlRequest.RecipientSet("", 1, List.of(subject + " " + profile + " # ticket 7"));
  }

  private static GatewayFixture settings(Path folder, ScriptedUpstream upstream) {
    return GatewayFixture.in(folder, upstream.port()).with("profiles", PROFILES);
  }

  private static SmtpClient upToMail(GatewayFixture gateway) throws IOException {
    SmtpClient client = SmtpClient.proxied(gateway.port("mx"), LISTED);
    client.reply();
    client.command("EHLO client.example");
    expect("250", client.command("MAIL FROM:<alice@sender.example>"));
    return client;
  }

  private static String rcpt(SmtpClient client, String name) throws IOException {
    return client.command("RCPT TO:<" + name + "@example.com>");
  }

  private static String command(GatewayFixture gateway, String... words) {
    CommandLineInProcess.Result result = gateway.cli(words);
    return result.out() + result.err();
  }

  @Test
  void anEntryCountsForTheNextRcptOfAnOpenSessionAndSaysWhy() throws Exception {
    try (ScriptedUpstream upstream = ScriptedUpstream.start();
        GatewayFixture gateway =
            settings(folder, upstream).with("recipients", "{sales@example.com: off}").start();
        SmtpClient client = upToMail(gateway)) {
      expect("554 5.7.1", rcpt(client, "bob"));
      gateway.control(set("bob@example.com", "tag-only"));
      expect("250", rcpt(client, "bob"));
      expect("451 4.5.3", rcpt(client, "SALES"));
      expect("250", client.message("Subject: x\r\n\r\nhello\r\n"));
      String content = upstream.nextDelivery().content();
      assertTrue(content.contains("X-Spam-Flag: YES"), content);
      Conditions.await(
          "the log",
          () ->
              Files.readString(gateway.logFile())
                  .contains(" profile=tag-only(bob@example.com,r1)"));
      String why =
          "tag-only (bob@example.com, r1), set by root at TIME (ticket 7); `bloomgate recipient"
              + " remove r1` takes it away";
      assertEquals(
          "bob@example.com has profile "
              + why.replace("remove r1", "remove r1 -c " + folder.resolve("bloomgate.yaml")),
          times(
              command(gateway, "recipient", "check", "bob@example.com")
                  .replaceAll("\\s+", " ")
                  .strip()));
      Answer explained =
          gateway.control(new ControlRequest.Explain(LISTED, null, null, null, "bob@example.com"));
      assertTrue(
          times(explained.json()).contains("the profile of the recipient is " + why),
          explained.json());
      Answer sessions =
          gateway.control(
              new ControlRequest.SessionsList(Instant.EPOCH, null, null, null, null, null, 9));
      assertTrue(times(sessions.json()).contains(why), sessions.json());
      gateway.control(new ControlRequest.RecipientRemove(List.of("r1")));
      expect("250", client.command("MAIL FROM:<alice@sender.example>"));
      expect("554 5.7.1", rcpt(client, "bob"));
      gateway.control(set("sales@example.com", "default"));
      expect("554 5.7.1", rcpt(client, "sales"));
      expect("250", rcpt(client, "postmaster"));
      gateway.control(set("postmaster@", "default"));
      expect("250", client.command("RSET"));
      expect("250", client.command("MAIL FROM:<alice@sender.example>"));
      expect("554 5.7.1", rcpt(client, "postmaster"));
    }
  }

  private static String times(String text) {
    return text.replaceAll("\\d{4}-\\d\\d-\\d\\dT[0-9:]+Z", "TIME");
  }

  @Test
  void aTrapStaysATrapAndAnExemptRecipientIsNamed() throws Exception {
    try (ScriptedUpstream upstream = ScriptedUpstream.start();
        GatewayFixture gateway =
            settings(folder, upstream).with("traps", "{addresses: [old@example.com]}").start()) {
      String trap = command(gateway, "recipient", "set", "old@example.com", "tag-only");
      assertTrue(trap.contains("is a trap in traps.addresses; take it out there first"), trap);
      assertFalse(gateway.control(new ControlRequest.RecipientList()).json().contains("r1"));
      for (String exempt : List.of("postmaster@example.com", "postmaster@")) {
        String shown = command(gateway, "recipient", "set", exempt, "tag-only");
        assertTrue(shown.contains(exempt + " is exempt in the settings"), shown);
      }
      String line = command(gateway, "recipient", "remove", "old@example.com");
      assertTrue(line.contains("is a line of the settings; take it out of traps.addresses"), line);
      line = command(gateway, "recipient", "remove", "abuse@").replaceAll("\\s+", " ");
      assertTrue(line.contains("or `bloomgate recipient set abuse@ default -c "), line);
      String off = command(gateway, "recipient", "set", "postmaster@example.com", "off");
      assertFalse(off.contains("exempt"), off);
    }
  }

  @Test
  void aStarMeansTheWholeDomain() throws Exception {
    try (ScriptedUpstream upstream = ScriptedUpstream.start();
        GatewayFixture gateway = settings(folder, upstream).start();
        SmtpClient client = upToMail(gateway)) {
      String set = command(gateway, "recipient", "set", "*@example.com", "tag-only");
      assertTrue(set.contains("recipient example.com, profile tag-only"), set);
      expect("250", rcpt(client, "bob"));
      gateway.control(new ControlRequest.RecipientRemove(List.of("*@example.com")));
      assertFalse(command(gateway, "recipient", "list").contains("tag-only"));
    }
  }

  @Test
  void anEntryThatEndsCountsNoMore() throws Exception {
    try (ScriptedUpstream upstream = ScriptedUpstream.start();
        GatewayFixture gateway = settings(folder, upstream).start();
        SmtpClient client = upToMail(gateway)) {
      Instant end = Instant.now().plusSeconds(3);
      gateway.control(
          new ControlRequest.RecipientSet("", 1, List.of("bob@example.com off expires=" + end)));
      expect("250", rcpt(client, "bob"));
      Conditions.await("it has ended", () -> Instant.now().isAfter(end));
      expect("250", client.command("RSET"));
      expect("250", client.command("MAIL FROM:<alice@sender.example>"));
      expect("554 5.7.1", rcpt(client, "bob"));
      assertTrue(command(gateway, "recipient", "list").contains("expired"));
    }
  }

  @Test
  void anEntryIsThereAfterAKillAndAProfileThatIsGoneIsAnAlarm() throws Exception {
    int port = FreePort.next();
    try (ScriptedUpstream upstream = ScriptedUpstream.start()) {
      GatewayFixture settings = settings(folder, upstream).listening(port).prepare();
      try (GatewayProcess gateway = GatewayProcess.start(settings)) {
        gateway.control(new ControlRequest.FeedsRefresh(List.of(), true, true));
        gateway.control(set(".sub.example.com", "tag-only"));
        gateway.kill();
      }
      settings.with("profiles", "{other: {}}").writeSettings();
      try (GatewayProcess gateway = GatewayProcess.start(settings)) {
        List<JsonObject> entries = gateway.control(new ControlRequest.RecipientList()).items();
        assertEquals(3, entries.size(), "with those of the settings");
        assertFalse(entries.getFirst().isTrue("in_settings"));
        assertTrue(alarms(gateway).contains("not in the settings (tag-only)"), alarms(gateway));
        assertTrue(
            command(settings, "recipient", "list").contains("tag-only (not in the settings)"),
            command(settings, "recipient", "list"));
        settings.with("profiles", PROFILES).writeSettings();
        gateway.control(new ControlRequest.ConfigReload(false));
        assertFalse(alarms(gateway).contains("not in the settings"), alarms(gateway));
      }
    }
  }

  private static String alarms(GatewayProcess gateway) throws IOException {
    return gateway.control(new ControlRequest.Status()).items().getFirst().elements("alarms") + "";
  }

  @Test
  void theFormsOfThePageDoTheSame() throws Exception {
    try (PageFixture page = new PageFixture(folder)) {
      String[] write = bearer(PageFixture.WRITE);
      String[] read = bearer(PageFixture.READ);
      String form = "do=set&subject=bob%40example.com&profile=off&reason=ticket+7&expires=7d";
      assertEquals(403, page.post("/recipients", form, read).statusCode());
      HttpResponse<String> done = page.post("/recipients", form, write);
      assertEquals(200, done.statusCode(), done::body);
      assertTrue(page.rcpt(LISTED, "client.example", "a@sender.example").startsWith("250"));
      String shown = page.get("/recipients", write).body();
      assertTrue(shown.contains("<td>bob@example.com</td><td>off </td>"), shown);
      assertTrue(shown.contains("<td>postmaster@</td><td>exempt </td>"), shown);
      assertEquals(409, page.post("/recipients", form.replace("=off", "=of"), write).statusCode());
      assertEquals(200, page.post("/recipients", "do=remove&subject=r1", write).statusCode());
      assertTrue(page.rcpt(LISTED, "client.example", "a@sender.example").startsWith("554"));
    }
  }
}
