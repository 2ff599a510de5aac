<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en">
<context>
    <name>posiscope::ui::StatusStrip</name>
    <message numerus="yes">
        <source>%n view(s)</source>
        <translation>
            <numerusform>%n view</numerusform>
            <numerusform>%n views</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n thread(s)</source>
        <translation>
            <numerusform>%n thread</numerusform>
            <numerusform>%n threads</numerusform>
        </translation>
    </message>
</context>
</TS>
