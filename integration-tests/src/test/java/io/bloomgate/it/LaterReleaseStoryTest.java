package io.bloomgate.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.file.CheckedJson;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.Json;
import io.bloomgate.config.json.JsonSyntaxException;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.gateway.testkit.SmtpClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A gateway finds what a later release wrote: it says so, leaves it alone, and mail goes on. */
class LaterReleaseStoryTest extends Story {

  private static final int LATER = 9;

  private static final String OTHER_FORMAT =
      " has format 9 of another release; this one reads format ";

  private final int port = FreePort.next();

  @Test
  void everyStoreOfALaterReleaseIsNamedAndLeftAlone() throws Exception {
    GatewayFixture settings = settings();
    try (GatewayProcess gateway = GatewayProcess.start(settings)) {
      gateway.control(new ControlRequest.FeedsRefresh(List.of(), true, true));
      assertTrue(mail("198.51.100.3").startsWith("451 4.7.1 Greylisted"));
      gateway.control(sessions());
      Conditions.await("it is stored", () -> Files.exists(state("greylist.db")));
    }
    List<Path> databases = new ArrayList<>(List.of(state("feeds.db"), state("greylist.db")));
    try (Stream<Path> days = Files.list(state("sessions"))) {
      days.filter(day -> day.toString().endsWith(".db")).forEach(databases::add);
    }
    assertEquals(3, databases.size());
    for (Path database : databases) {
      makeLater(database);
    }
    makeLaterGeneration();
    try (GatewayProcess gateway = GatewayProcess.start(settings)) {
      Conditions.await(
          "the lists are built again",
          () -> gateway.control(new ControlRequest.Health()).exitCode() == 0);
      assertTrue(mail("203.0.113.7").startsWith("554"));
      gateway.control(sessions());
      String said = Files.readString(gateway.output());
      for (Path database : databases) {
        assertTrue(said.contains(database + OTHER_FORMAT), database + ": " + said);
        assertEquals(LATER, version(database));
      }
      assertTrue(said.contains("snapshots/0000000001" + OTHER_FORMAT), said);
    }
    makeLater(state("operator.db"));
    AssertionError refused =
        assertThrows(AssertionError.class, () -> GatewayProcess.start(settings));
    assertTrue(
        refused.getMessage().contains(state("operator.db") + OTHER_FORMAT), refused.getMessage());
    assertEquals(LATER, version(state("operator.db")));
  }

  private GatewayFixture settings() {
    return gateway
        .listening(port)
        .feeds(
            """
            drop: {file: FOLDER/drop.txt, format: ips, checks: [client_ip], action: reject, allow_bogons: true}
            grey: {file: FOLDER/grey.txt, format: ips, checks: [client_ip], action: greylist, allow_bogons: true}
            """)
        .prepare();
  }

  private static ControlRequest sessions() {
    return new ControlRequest.SessionsList(Instant.EPOCH, null, null, null, null, null, 10);
  }

  private Path state(String name) {
    return folder.resolve("state").resolve(name);
  }

  private String mail(String client) throws IOException {
    try (SmtpClient smtp = SmtpClient.proxied(port, client)) {
      return smtp.rcpt("mail.home.example", "a@home.example", "bob@example.com");
    }
  }

  private static Connection open(Path database) throws SQLException {
    return DriverManager.getConnection("jdbc:sqlite:" + database);
  }

  private static void makeLater(Path database) throws SQLException {
    try (Connection connection = open(database);
        Statement statement = connection.createStatement()) {
      statement.execute("PRAGMA user_version = " + LATER);
    }
  }

  private static int version(Path database) throws SQLException {
    try (Connection connection = open(database);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("PRAGMA user_version")) {
      return row.getInt(1);
    }
  }

  private void makeLaterGeneration() throws IOException, JsonSyntaxException {
    try (Stream<Path> files = Files.walk(state("snapshots"))) {
      for (Path manifest : files.filter(f -> f.endsWith("manifest.json")).toList()) {
        JsonObject stored = (JsonObject) Json.parse(Files.readString(manifest));
        Map<String, JsonValue> members =
            new LinkedHashMap<>(CheckedJson.plain(stored).orElseThrow().members());
        members.put("format", JsonValue.of(LATER));
        Files.writeString(manifest, Json.write(CheckedJson.of(new JsonObject(members))) + "\n");
      }
    }
  }
}
