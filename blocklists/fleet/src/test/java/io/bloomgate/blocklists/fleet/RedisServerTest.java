package io.bloomgate.blocklists.fleet;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bloomgate.config.settings.FleetSettings.RedisAddress;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The client against a real server. */
class RedisServerTest {

  /** As the handbook writes one: each octet as % and two digits. */
  @Test
  void aPasswordWithSpecialCharactersIsWrittenInTheAddress(@TempDir Path folder) throws Exception {
    assumeTrue(RealRedis.isInstalled(), "no redis-server on this machine");
    try (RealRedis real = RealRedis.start(folder)) {
      String password = "p@ss/1:#?%25+";
      real.command("ACL SETUSER pass on >" + password + " ~* +@all");
      StringBuilder octets = new StringBuilder();
      for (byte octet : password.getBytes(UTF_8)) {
        octets.append("%%%02x".formatted(octet));
      }
      for (String written : List.of(octets.toString(), "p%40ss%2F1:%23%3F%2525+")) {
        RedisAddress address =
            RedisAddress.read("redis://pass:" + written + "@127.0.0.1:" + real.port());
        assertEquals("redis://127.0.0.1:" + real.port(), address.toString());
        try (RedisServer server = RedisServer.at(address)) {
          assertEquals("OK", server.commands().set("bloomgate:test", "1"));
        }
      }
    }
  }
}
