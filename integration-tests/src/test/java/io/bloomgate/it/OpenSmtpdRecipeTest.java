package io.bloomgate.it;

import io.bloomgate.config.name.IpAddress;
import io.bloomgate.gateway.testkit.ScriptedUpstream;
import io.bloomgate.gateway.testkit.SmtpClient;
import io.bloomgate.gateway.wire.ProxyHeader;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The section "OpenSMTPD" of config/recipes.md, with Debian's OpenSMTPD. */
class OpenSmtpdRecipeTest {

  private static final String TITLE = "OpenSMTPD";
  private static final String PACKAGE = "opensmtpd";

  private static final String SCRIPT =
      """
      user opensmtpd 31026
      user opensmtpq 31027
      smtpd -d -f smtpd.conf
      """;

  @TempDir Path folder;

  @Test
  void recipeHolds() throws Exception {
    RecipePage page = RecipePage.load();
    int port = FreePort.next();
    try (ScriptedUpstream sink = RecipeProof.startSink()) {
      Files.writeString(
          folder.resolve("smtpd.conf"),
          RecipePage.replaced(
                  page.lines(TITLE, "/etc/smtpd.conf"),
                  "10.0.0.5",
                  "127.0.0.5",
                  "10025",
                  String.valueOf(port))
              + "action \"onward\" relay host smtp://127.0.0.1:"
              + sink.port()
              + "\nmatch from any for domain \"example.com\" action \"onward\"\n");
      try (UnpackedPackage openSmtpd =
              UnpackedPackage.startOrSkip(PACKAGE, folder, SCRIPT, "127.0.0.5", port);
          GatewayFixture gateway =
              page.into(
                      GatewayFixture.in(Files.createDirectory(folder.resolve("gateway")), 1),
                      TITLE,
                      "10.0.0.5",
                      "127.0.0.5",
                      "10025",
                      String.valueOf(port))
                  .with("domains", "[example.com, foreign.example]")
                  .start()) {
        RecipeProof.into(gateway, sink).holds();
        Conditions.await(
            "OpenSMTPD's log has the sender's address",
            () -> openSmtpd.output().contains("smtp connected address=192.0.2.10 "));
        // It believes anybody, as the page warns.
        try (SmtpClient stranger = RecipeProof.from("127.0.0.66", "127.0.0.5", port)) {
          stranger.raw(
              new ProxyHeader.Proxied(
                      IpAddress.parse("192.0.2.99").toOptional().orElseThrow(),
                      40_000,
                      IpAddress.parse("192.0.2.25").toOptional().orElseThrow(),
                      25)
                  .v2());
          RecipeProof.into(gateway, sink).mailPasses(stranger, "192.0.2.99");
        }
      }
    }
  }
}
