/**
 * The engine that reads settings, whatever they mean: YAML with the place of every node, sections
 * and their keys, overrides of the environment, origins of values, and all problems at once. {@link
 * io.bloomgate.config.settings.yaml.Section} is the door for binders. One thread, one reading.
 */
@NullMarked
package io.bloomgate.config.settings.yaml;

import org.jspecify.annotations.NullMarked;
