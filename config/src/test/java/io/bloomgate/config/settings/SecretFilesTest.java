package io.bloomgate.config.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.bloomgate.config.settings.yaml.EffectiveValue;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** No setting that names a file with a key is forgotten. */
class SecretFilesTest {

  private static final String SETTINGS =
      """
      domains: [example.com]
      downstream: {host: 192.0.2.25}
      tls:
        certificates:
          - {certificate: cert.pem, key: key.pem}
          - {certificate: rsa.pem, key: rsa.key}
      feeds:
        proxy: "http://192.0.2.1:3128"
        proxy_credentials_file: proxy
        sources:
          web:
            url: "https://lists.example/{secret}"
            secret_file: secret
            headers: {Auth-Key: "file:auth", X-Text: plain}
            proxy: "http://192.0.2.2:3128"
            proxy_credentials_file: other-proxy
          zen: {dns: zen.example, key_file: dqs}
      admin: {http: "192.0.2.3:9190", token_file: token, write_tokens_file: people}
      """;

  private static SettingsResult.Loaded loaded() {
    return assertInstanceOf(SettingsResult.Loaded.class, Reading.whole(SETTINGS));
  }

  @Test
  void eachFileIsNamedOnceWithItsSetting() {
    assertEquals(
        List.of(
            "tls.certificates[0].certificate /etc/bg/cert.pem",
            "tls.certificates[0].key /etc/bg/key.pem",
            "tls.certificates[1].certificate /etc/bg/rsa.pem",
            "tls.certificates[1].key /etc/bg/rsa.key",
            "feeds.proxy_credentials_file /etc/bg/proxy",
            "feeds.sources.web.secret_file /etc/bg/secret",
            "feeds.sources.web.headers.Auth-Key /etc/bg/auth",
            "feeds.sources.web.proxy_credentials_file /etc/bg/other-proxy",
            "feeds.sources.zen.key_file /etc/bg/dqs",
            "admin.token_file /etc/bg/token",
            "admin.write_tokens_file /etc/bg/people"),
        SecretFiles.of(loaded().settings()).stream()
            .map(named -> named.key() + " " + named.file())
            .toList());
  }

  /** A setting with such a name that is new must be added there, and here. */
  @Test
  void everySettingNamedAsAFileIsKnown() {
    TreeSet<String> named = new TreeSet<>();
    for (EffectiveValue value : loaded().values()) {
      if (value.path().getLast().endsWith("_file")) {
        named.add(value.path().getLast());
      }
    }
    TreeSet<String> known = new TreeSet<>();
    SecretFiles.of(loaded().settings())
        .forEach(file -> known.add(file.key().substring(file.key().lastIndexOf('.') + 1)));
    known.removeIf(key -> !key.endsWith("_file"));
    assertEquals(named, known);
  }
}
