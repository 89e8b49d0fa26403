package io.bloomgate.gateway.page;

import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.output.StringOutput;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The templates of {@code src/main/jte}, which the build has made into classes, and files that are
 * sent as they are. A template escapes each value for its place: text, attribute or address. Pure.
 */
final class Templates {

  private static final String PACKAGE = Templates.class.getPackageName();

  private final TemplateEngine engine =
      TemplateEngine.createPrecompiled(
          null, ContentType.Html, Templates.class.getClassLoader(), PACKAGE);

  /** A template with its values. */
  record Filled(String template, Map<String, ? extends @Nullable Object> values) {}

  String html(Filled page) {
    StringOutput out = new StringOutput(16_384);
    engine.render(page.template() + ".jte", new HashMap<>(page.values()), out);
    return out.toString();
  }

  /** A file beside this class. */
  static String file(String name) throws IOException {
    try (InputStream in = Templates.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IOException(name + " is missing in the jar");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
