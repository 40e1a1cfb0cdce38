@echo off
setlocal
set ELECTRON_RUN_AS_NODE=1
if not defined TAPEDECK_NODE set TAPEDECK_NODE=node
"%TAPEDECK_NODE%" "%~dp0..\engine.js" %*
