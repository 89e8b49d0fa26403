/**
 * The settings file as a tree of immutable records.
 *
 * <p>{@link io.bloomgate.config.settings.Settings} is the whole tree, one record a section, one
 * component a key, in the order of the file. {@link io.bloomgate.config.settings.SettingsFile} is
 * the only way in: it reads a file and the environment and answers with the settings or with every
 * problem at once. Called by the gateway at start and at each reload, and by the command line
 * offline. Everything here is immutable and may be shared between threads.
 */
@NullMarked
package io.bloomgate.config.settings;

import org.jspecify.annotations.NullMarked;
