package io.bloomgate.config.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.pem.PemFiles;
import io.bloomgate.config.settings.SettingsResult.Loaded;
import io.bloomgate.config.settings.yaml.SettingsText;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Several certificates in one file, or in one variable. */
class CertificatesTest {

  private static final String MINIMAL =
      "domains: [example.com]\ndownstream: {host: mail.example.com}\n";

  private static SettingsResult parse(String text, Map<String, String> environment) {
    return SettingsFile.parse("/etc/bg/f.yaml", text, environment, () -> "mx.example.com");
  }

  private static Loaded loaded(String text, Map<String, String> environment) {
    return assertInstanceOf(Loaded.class, parse(text, environment));
  }

  @Test
  void certificatesAreReadInTheirOrder() {
    String text =
        MINIMAL
            + "tls:\n"
            + "  certificates:\n"
            + "    - {certificate: ec.pem, key: keys/ec.key}\n"
            + "    - certificate: /rsa.pem\n"
            + "      key: /rsa.key\n";
    Loaded loaded = loaded(text, Map.of());
    List<PemFiles> expected =
        List.of(
            new PemFiles(
                "tls.certificates[0]", Path.of("/etc/bg/ec.pem"), Path.of("/etc/bg/keys/ec.key")),
            new PemFiles("tls.certificates[1]", Path.of("/rsa.pem"), Path.of("/rsa.key")));
    assertEquals(expected, loaded.settings().tls().certificates());
    assertEquals(List.of(), loaded.warnings());

    // What is shown of them is read again as the same.
    String shown = SettingsText.render(loaded.values(), true);
    assertTrue(shown.contains("key: /rsa.key   # /etc/bg/f.yaml:7\n"), shown);
    assertEquals(expected, loaded(shown, Map.of()).settings().tls().certificates());

    String variable = "BLOOMGATE_TLS__CERTIFICATES";
    Map<String, String> good = Map.of(variable, "[{certificate: /e.pem, key: /e.key}]");
    assertEquals(
        List.of(new PemFiles("tls.certificates[0]", Path.of("/e.pem"), Path.of("/e.key"))),
        loaded(text, good).settings().tls().certificates());
    String wrong =
        parse(text, Map.of(variable, "[{certificate: /e.pem, keys: /e.key}, x]")).toString();
    assertTrue(wrong.contains(variable + ": an element of `tls.certificates` is a section"), wrong);
    assertTrue(wrong.contains("unknown key `keys` in tls.certificates[0]"), wrong);
    assertTrue(wrong.contains("write `- {certificate: FILE, key: FILE}`"), wrong);
  }
}
