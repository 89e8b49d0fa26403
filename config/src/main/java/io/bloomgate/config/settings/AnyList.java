package io.bloomgate.config.settings;

import io.bloomgate.config.name.Check;
import java.util.Set;

/** The facts that feeds and lists asked by DNS have in common. Read on any thread. */
public interface AnyList {
  String name();

  Set<Check> checks();

  Action action();

  String family();
}
