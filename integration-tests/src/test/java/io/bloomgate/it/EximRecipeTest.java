package io.bloomgate.it;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.gateway.testkit.ScriptedUpstream;
import io.bloomgate.gateway.testkit.SmtpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The section "Exim" of config/recipes.md, with Debian's Exim and Debian's configuration of it. */
class EximRecipeTest {

  private static final String TITLE = "Exim";
  private static final String PACKAGE = "exim4-daemon-heavy";

  /** Answers of Debian's dialog; Exim takes mail for the domain and gives it to the last server. */
  private static final String DEBIAN =
      """
      dc_eximconfig_configtype='internet'
      dc_other_hostnames=''
      dc_local_interfaces='127.0.0.1 ; ::1'
      dc_readhost=''
      dc_relay_domains='example.com'
      dc_minimaldns='false'
      dc_relay_nets='127.0.0.0/8'
      dc_smarthost=''
      CFILEMODE='644'
      dc_use_split_config='false'
      dc_hide_mailname=''
      dc_mailname_in_oh='true'
      dc_localdelivery='mail_spool'
      """;

  private static final String SCRIPT =
      """
      user Debian-exim 31025
      cp update-exim4.conf.conf exim4.conf.localmacros hubbed_hosts /etc/exim4
      echo exim.example.com > /etc/mailname
      mkdir -p /var/spool/exim4/input /var/spool/exim4/msglog /var/spool/exim4/db /var/log/exim4
      mkdir -p /var/lib/exim4 /run/exim4
      chown -R Debian-exim: /var/spool/exim4 /var/log/exim4 /run/exim4
      update-exim4.conf
      exim4 -bV
      tail -F /var/log/exim4/mainlog &
      exim4 -bdf -q30m
      """;

  @TempDir Path folder;

  @Test
  void recipeHolds() throws Exception {
    RecipePage page = RecipePage.load();
    int port = FreePort.next();
    String debian = DEBIAN;
    for (String line : page.lines(TITLE, "/etc/exim4/update-exim4.conf.conf").lines().toList()) {
      String key = line.substring(0, line.indexOf('='));
      debian = debian.replaceAll("(?m)^" + key + "=.*$", line);
    }
    // Other addresses of this machine may be in use, and it must not meet another program's port.
    debian =
        RecipePage.replaced(
            debian, "127.0.0.1 ; ::1 ; ", "", "10.0.0.5.10025", "127.0.0.5." + port);
    Files.writeString(folder.resolve("update-exim4.conf.conf"), debian);
    Files.writeString(
        folder.resolve("exim4.conf.localmacros"),
        RecipePage.replaced(
            page.lines(TITLE, "/etc/exim4/exim4.conf.localmacros"), "10.0.0.2", "127.0.0.1"));
    try (ScriptedUpstream sink = RecipeProof.startSink()) {
      Files.writeString(
          folder.resolve("hubbed_hosts"), "example.com: 127.0.0.1::" + sink.port() + "\n");
      try (UnpackedPackage exim =
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
        // The page says that the smaller package lacks it.
        assertTrue(exim.output().matches("(?s).*Support for:.* PROXY .*"), exim.output());
        RecipeProof.into(gateway, sink).holds();
        Conditions.await(
            "Exim's log has the sender's address",
            () -> exim.output().contains("H=(mail.partner.example) [192.0.2.10] "));
        // From the gateway's address it takes nothing without the header, as the page warns.
        try (SmtpClient local = RecipeProof.from("127.0.0.1", "127.0.0.5", port)) {
          local.raw("EHLO mail.partner.example\r\n");
          local.reply();
          String reply = local.ask("MAIL FROM:<a@partner.example>");
          assertTrue(reply.startsWith("503 "), reply);
        }
      }
    }
  }
}
